function value = pick(options, name, default)
%PICK  An option, or its default where it is not given.
%   value = perp.internal.pick(options, name, default) with the struct options of
%   perp.internal.take.
if isfield(options, name)
    value = options.(name);
else
    value = default;
end
end
