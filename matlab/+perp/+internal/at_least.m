function at_least(count, needed, usage)
%AT_LEAST  Refuses a call with too few arguments.
%   perp.internal.at_least(count, needed, usage) raises perp:badCall and says how the call looks.
if count < needed
    error('perp:badCall', 'too few arguments: %s', usage);
end
end
