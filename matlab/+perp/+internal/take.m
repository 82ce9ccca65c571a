function [taken, rest] = take(list, names)
%TAKE  Options of the given names out of a list of names and values.
%   [taken, rest] = perp.internal.take(list, names) returns the options in names (a cell of texts)
%   as fields of the struct taken, and all others as the cell rest. Errors: perp:badOption where
%   the list is not made of pairs, a name is not a text, or a name comes twice.
taken = struct();
rest = {};
if mod(numel(list), 2) ~= 0
    error('perp:badOption', 'options come in pairs of a name and a value, but there are %d', ...
          numel(list));
end
seen = {};
for k = 1:2:numel(list)
    name = list{k};
    value = list{k + 1};
    if isstring(name) && isscalar(name)
        name = char(name);
    end
    if isstring(value) && isscalar(value)
        value = char(value);
    end
    if ~ischar(name) || size(name, 1) ~= 1
        error('perp:badOption', 'the name of option %d is not a text', (k + 1) / 2);
    end
    if any(strcmp(name, seen))
        error('perp:badOption', 'option "%s" is given twice', name);
    end
    seen{end + 1} = name; %#ok<AGROW>
    if any(strcmp(name, names))
        taken.(name) = value;
    else
        rest = [rest, {name}, {value}]; %#ok<AGROW>
    end
end
end
