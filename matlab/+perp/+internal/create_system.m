function system = create_system(M, A, N, D, options, keep)
%CREATE_SYSTEM  A system of perp_mex.
%   system = perp.internal.create_system(M, A, N, D, options, keep) with the struct options of S, B,
%   mass_storage and symmetry_tolerance. keep: whether its matrices will be updated.
storage = perp.internal.text(perp.internal.pick(options, 'mass_storage', 'full'), 'mass_storage');
if isa(M, 'double') && ~issparse(M) && ndims(M) == 2 && ~strcmp(storage, 'full') %#ok<ISMAT>
    M = sparse(M);  % the zeros of the other triangle are no entries
end
system = perp_mex('system_create', M, A, N, D, perp.internal.pick(options, 'S', []), ...
                  perp.internal.pick(options, 'B', []), storage, ...
                  perp.internal.pick(options, 'symmetry_tolerance', []), keep);
end
