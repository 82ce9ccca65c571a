function value = text(value, name)
%TEXT  A text as a row of characters; a string of MATLAB is one as well.
%   value = perp.internal.text(value, name) refuses everything else (perp:badType). name says in the
%   message which argument it is.
if isstring(value) && isscalar(value)
    value = char(value);
end
if ~ischar(value) || size(value, 1) > 1
    error('perp:badType', '%s is not a text', name);
end
end
