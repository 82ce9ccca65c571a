function problem = create_delassus(W, q, mu, options, keep)
%CREATE_DELASSUS  A problem in Delassus form of perp_mex.
%   problem = perp.internal.create_delassus(W, q, mu, options, keep) with the struct options of
%   perp.internal.delassus_names. keep: whether W will be updated.
pick = @(name, default) perp.internal.pick(options, name, default);
law = perp.internal.text(pick('law', 'cone'), 'law');
if ~any(strcmp(law, {'cone', 'coulomb'}))
    error('perp:badValue', 'law = "%s" is not one of cone, coulomb', law);
end
problem = perp_mex('problem_delassus', W, q, pick('tangential_rows', []), ...
                   pick('angular_rows', []), mu, pick('rho', []), pick('sigma', []), ...
                   pick('V', []), pick('R', []), pick('s', []), strcmp(law, 'coulomb'), keep);
end
