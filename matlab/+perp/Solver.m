classdef Solver < handle
%SOLVER  Solves a problem, again and again.
%   solver = perp.Solver(problem, name, value, ...) shares the perp.Problem: it sees what is changed
%   there, and keeps workspace, factorizations and basic sets from solve to solve.
%
%   Settings, by name:
%     method               'auto' (default): what fits. For bounds 'pivoting', 'keller', 'lemke',
%                          for cones and bounds 'pgs', 'apgd', 'aapgs', 'ipm', 'newton', 'accurate'
%     tolerance            solved when eta <= this, > 0. 1e-4
%     max_iterations       20000
%     time_limit           s; 0: none. 0
%     warm_start           1: start from the z of the solve before. 0
%     threads              at most so many; the answer is the same. 1
%     stagnation_window    iterations without progress until 'stalled'; 0: never. -1: automatic
%     eliminate_bilateral  1: joints exactly, 0: iterate on them. 1
%     tie_rounds           problems solved on the way to tied bounds or Coulomb's law. 200
%     least_norm           1: of all solutions, the one of least energy norm. 0
%     relaxation           pgs, aapgs: in (0, 2). 1
%     sweep_order          pgs, aapgs: 'coloured' (default), 'given', 'bfs', 'random'
%     symmetric_sweep      pgs, aapgs: 1: forward and backward. 0
%     seed                 pgs, aapgs: of the random order. 0
%     check_interval       pgs, aapgs: sweeps between evaluations of eta. 10
%     anderson_window      aapgs: sweeps mixed, 1 to 20. 5
%   and the option
%     progress             function of a struct, see perp.solve_blcp. Default: none
%
%   It is a handle: copies are the same solver. It is freed with the last copy, or by
%   delete(solver).
%
%   Methods: solve, set, settings, certificate, basic_set, set_basic_set, delete.
%
%   Errors: perp:badHandle, perp:badSetting (unknown name, value out of range), perp:unsupported
%   (the method cannot take the problem), perp:badOption, perp:badType, perp:badCall.
%
%   Example: the same matrix, many vectors, each solve from the answer before
%       problem = perp.Problem.blcp([2 1; 1 2], [-1; 1], 0, Inf);
%       solver = perp.Solver(problem, 'tolerance', 1e-10, 'warm_start', true);
%       for k = 1:5
%           problem.set_vectors('q', [-1; 1 - 0.5 * k]);
%           [z, u, info] = solver.solve();
%       end
%
%   See also perp.Problem, perp.solve_cone, perp.solve_blcp, perp.residual.
    properties (SetAccess = private, Hidden = true)
        id = uint64(0);  % by which perp_mex knows it; 0: none
        watched = [];    % the progress function, guarded
    end
    methods
        function solver = Solver(problem, varargin)
            perp.internal.at_least(nargin, 1, 'perp.Solver(problem, name, value, ...)');
            number = perp.internal.id(problem, 'perp.Problem', 'problem');
            [options, rest] = perp.internal.take(varargin, {'progress'});
            solver.watched = perp.internal.watched(perp.internal.pick(options, 'progress', []));
            solver.id = perp_mex('solver_create', number, rest);
        end

        function [z, u, info] = solve(solver, z0)
            %SOLVE  Solves the problem of a solver as it is now.
            %   [z, u, info] = solver.solve() starts from nothing, or, with the setting warm_start,
            %   from the z of the solve before.
            %   [z, u, info] = solver.solve(z0) starts from z0. []: as without.
            %   z, u and info are those of perp.solve_blcp, without the certificate.
            %
            %   Errors: perp:badSize, perp:badValue (z0 not finite), perp:unsupported (after a
            %   change of the problem), perp:badType, perp:badHandle; that of the progress function.
            if nargin < 2
                z0 = [];
            end
            [z, u, info, failure] = perp_mex('solver_solve', solver.id, z0, solver.watched);
            if ~isempty(failure)
                rethrow(failure);
            end
        end

        function set(solver, varargin)
            %SET  Changes settings, or the progress function, of a solver: all that are given, or
            %   on an error none.
            %   solver.set(name, value, ...)
            %
            %   Errors: perp:badSetting, perp:badOption, perp:badType, perp:badHandle.
            [options, rest] = perp.internal.take(varargin, {'progress'});
            watched = perp.internal.watched(perp.internal.pick(options, 'progress', []));
            perp_mex('solver_set', solver.id, rest);
            if isfield(options, 'progress')
                solver.watched = watched;
            end
        end

        function result = settings(solver)
            %SETTINGS  All settings of a solver.
            %   result = solver.settings() is a struct with a field for each.
            result = perp_mex('solver_settings', solver.id);
        end

        function d = certificate(solver)
            %CERTIFICATE  The proof that the problem of the last solve has no solution.
            %   d = solver.certificate(): d in the recession cone of the impulses with W' d = 0
            %   and r' d < 0, where u = W z + r.
            %
            %   Errors: perp:unsupported where there is none, perp:badHandle.
            d = perp_mex('solver_certificate', solver.id);
        end

        function result = basic_set(solver)
            %BASIC_SET  The basic set of the last solve by a pivoting method.
            %   result = solver.basic_set(): for each row of z -1 (at lo), 0 (basic, u = 0), 1 (at
            %   hi) or 2 (held; u = 0 as well).
            %
            %   Errors: perp:unsupported where there is none, perp:badHandle.
            result = perp_mex('solver_basic_set', solver.id);
        end

        function set_basic_set(solver, basic)
            %SET_BASIC_SET  The basic set that the next solve by a pivoting method starts from.
            %   solver.set_basic_set(basic): one of -1, 0, 1, 2 for each row of z.
            %
            %   Errors: perp:badSize, perp:badValue, perp:unsupported, perp:badType,
            %   perp:badHandle, perp:badCall.
            perp.internal.at_least(nargin, 2, 'solver.set_basic_set(basic)');
            perp_mex('solver_set_basic_set', solver.id, basic);
        end

        function delete(solver)
            %DELETE  Frees a solver. Using it afterwards is an error (perp:badHandle).
            perp_mex('destroy', solver.id);
        end
    end
end
