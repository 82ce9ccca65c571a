function [z, u, info] = solve(problem, settings, options)
%SOLVE  Solves a problem once, by a solver that lasts no longer.
%   [z, u, info] = perp.internal.solve(problem, settings, options): problem is a number of perp_mex,
%   settings a cell of names and values, options a struct with those of perp.internal.start_names.
progress = perp.internal.watched(perp.internal.pick(options, 'progress', []));
solver = perp_mex('solver_create', problem, settings);
cleanup = onCleanup(@() perp_mex('destroy', solver));
if isfield(options, 'basic_set') && ~isempty(options.basic_set)
    perp_mex('solver_set_basic_set', solver, options.basic_set);
end
z0 = perp.internal.pick(options, 'z0', []);
[z, u, info, failure] = perp_mex('solver_solve', solver, z0, progress);
if ~isempty(failure)
    rethrow(failure);
end
info.certificate = [];
if strcmp(info.outcome, 'no solution')
    try
        info.certificate = perp_mex('solver_certificate', solver);
    catch raised
        if ~strcmp(raised.identifier, 'perp:unsupported')
            rethrow(raised);
        end
    end
end
end
