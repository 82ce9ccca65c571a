function nothing_else(rest)
%NOTHING_ELSE  Refuses options that no one took.
%   perp.internal.nothing_else(rest) raises perp:badOption where rest, a cell of names and values,
%   is not empty.
if ~isempty(rest)
    error('perp:badOption', 'there is no option "%s" here', rest{1});
end
end
