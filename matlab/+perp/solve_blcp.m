function [z, u, info] = solve_blcp(H, q, lo, hi, varargin)
%SOLVE_BLCP  Solves a bounded linear complementarity problem.
%   [z, u, info] = perp.solve_blcp(H, q, lo, hi) finds z with lo <= z <= hi that is complementary to
%   u = H z + q: u >= 0 where z = lo, u <= 0 where z = hi, and u = 0 between.
%   [...] = perp.solve_blcp(H, q, lo, hi, name, value, ...) with options.
%
%   H   p x p, sparse or full, real; any: not symmetric and zeros on the diagonal as well
%   q   p
%   lo  p, or one number for all rows; -Inf: no bound; []: all -Inf. May equal hi
%   hi  p, or one number for all rows;  Inf: no bound; []: all Inf
%
%   z     p x 1: the best z found, whatever the outcome
%   u     p x 1: H z + q
%   info  struct: outcome ('solved', ...) and its outcome_number, eta (how good z is; 0: exact),
%         method, iterations, seconds and what else perp_info has; and certificate: p x 1, a
%         proof that there is no solution, where the outcome is 'no solution' and there is one,
%         else [] (see perp.Solver/certificate)
%   Look at info.outcome: 'solved' alone means that eta is within the tolerance. The others:
%   'iteration limit', 'time limit', 'stalled', 'no solution', 'cancelled', 'numerical failure'.
%
%   Options:
%     z0         p: a guess to start from. Default: none
%     basic_set  p: what method 'pivoting' starts from, of perp.Solver/basic_set. Default: none
%     ties       k x 3, [row, normal, coefficient]: bounds tied to impulses in place of lo and hi,
%                -coefficient max(0, z(normal)) <= z(row) <= coefficient max(0, z(normal)). Rows
%                count from 1; lo and hi of a tied row are -Inf and Inf. Default: none
%     progress   function of a struct with iteration, products, eta, best_eta and seconds, called
%                while perp solves; it returns true to go on and false to cancel. Its error
%                ends the solve and is raised then. Default: none
%   and all settings, listed at perp.Solver: 'tolerance', 'method', 'max_iterations', ...
%
%   Errors: perp:badSize, perp:badValue, perp:badBounds, perp:badIndex, perp:badSetting,
%   perp:unsupported, perp:badType, perp:badOption, perp:badCall.
%
%   Example: two rows, the second at its lower bound
%       [z, u, info] = perp.solve_blcp([2 1; 1 2], [-1; 1], 0, Inf)
%
%   See also perp.solve_cone, perp.solve_delassus, perp.Problem, perp.Solver, perp.residual.
perp.internal.at_least(nargin, 4, 'perp.solve_blcp(H, q, lo, hi, name, value, ...)');
[options, settings] = perp.internal.take(varargin, [{'ties'}, perp.internal.start_names()]);
problem = perp_mex('problem_blcp', H, q, lo, hi, false);
cleanup = onCleanup(@() perp_mex('destroy', problem));
if isfield(options, 'ties')
    perp.internal.set_ties(problem, options.ties);
end
[z, u, info] = perp.internal.solve(problem, settings, options);
end
