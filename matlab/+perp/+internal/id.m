function number = id(object, kind, name)
%ID  The number by which perp_mex knows an object.
%   number = perp.internal.id(object, kind, name) raises perp:badHandle unless object is of the
%   class kind ('perp.System'). name says in the message which argument it is.
if ~isa(object, kind) || ~isscalar(object)
    error('perp:badHandle', '%s is no %s', name, kind);
end
number = object.id;
end
