function guarded = watched(progress)
%WATCHED  A progress function that raises no error.
%   guarded = perp.internal.watched(progress) returns what perp_mex calls while it solves; [] where
%   there is no progress function. Its second result holds the error of the first, if any.
if isempty(progress) && isnumeric(progress)
    guarded = [];
elseif isa(progress, 'function_handle')
    guarded = @(now) perp.internal.call_progress(progress, now);
else
    error('perp:badType', 'progress is not a function handle');
end
end
