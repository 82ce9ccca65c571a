function [go_on, failure] = call_progress(progress, now)
%CALL_PROGRESS  What a progress function says, and its error instead of raising it.
%   [go_on, failure] = perp.internal.call_progress(progress, now): failure is [] or a struct for
%   rethrow; go_on is then false.
failure = [];
try
    go_on = progress(now);
    if ~(islogical(go_on) || isnumeric(go_on)) || ~isscalar(go_on) || ~isreal(go_on)
        error('perp:badType', 'progress does not return true or false');
    end
    go_on = logical(go_on);
catch raised
    go_on = false;
    failure = struct('identifier', raised.identifier, 'message', raised.message, ...
                     'stack', raised.stack);
end
end
