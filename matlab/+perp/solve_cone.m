function [z, u, info, v] = solve_cone(M, A, N, D, f, varargin)
%SOLVE_CONE  Solves the contact and friction problem of one time step.
%   [z, u, info, v] = perp.solve_cone(M, A, N, D, f, name, value, ...) finds impulses z and the
%   velocities v at the end of the step,
%
%       M v = f + A' z_A + N' z_N + D' z_D + S' z_S + B' z_B
%
%       u_A = A v + E z_A - u    = 0                  joints (bilateral rows)
%       u_N = N v + E z_N + b_N  >= 0, z_N >= 0       contacts; positive N v opens
%       u_D = D v + E z_D + b_T                       sliding
%       u_S = S v + E z_S + b_S                       spinning and rolling
%       u_B = B v + E z_B + b_B, lo_B <= z_B <= hi_B  motors, dry joint friction
%
%   with friction by the law that is chosen. E is diagonal (the compliances). SI units: impulses in
%   N s (angular rows N m s), velocities in m/s (rad/s). Matrices are sparse or full, real; rows are
%   constraints, columns the n velocities. [] is a matrix without rows.
%
%   M  n x n mass matrix, symmetric positive definite, kg
%   A  m x n joints
%   N  r x n contact normals
%   D  2 r x n sliding (contact i: rows 2 i - 1 and 2 i), r x n in the plane, [] without friction
%   f  n: M v + h (forces), N s, with the velocity v at the start and the length h of the step
%
%   z     rows of A, N, D, S, B one after the other: impulses, the best found
%   u     the same rows: velocities u_A, u_N, ...
%   info  struct, as for perp.solve_blcp. Look at info.outcome: 'solved' is what to use
%   v     n x 1: velocities at the end of the step
%
%   Options: matrices
%     S  3 r x n (contact i: spin, roll, roll), 2 r x n (rolling), r x n (planar rolling). []
%     B  k x n box rows. []
%     mass_storage        'full' (default): both triangles of M; 'lower', 'upper': one of them
%     symmetry_tolerance  allowed |M_ij - M_ji| / sqrt(M_ii M_jj). 1e-12
%   the law of friction
%     law  'cone' (default): cones, the convex relaxation: what slides opens with mu times its speed
%          'coulomb': the same cones, exactly Coulomb's law
%          'box': bounds lo_T <= z_D <= hi_T; without them, -mu z_N <= z_D <= mu z_N row by row
%   vectors: of the length given, or one number for all
%     b_N  r: gap / h, restitution; m/s. 0           mu     r: sliding coefficient, >= 0
%     b_T  rows of D, m/s. 0                         rho    r: rolling length, >= 0, m. 0
%     b_S  rows of S, rad/s. 0                       sigma  r: spinning length, >= 0, m. 0
%     b_B  k, m/s. 0                                 u      m: velocities of joints, m/s. 0
%     lo_T, hi_T  rows of D: bounds of the friction impulses, N s. Law 'box'
%     lo_B, hi_B  k: bounds of the box rows, N s. Required with B
%     compliance_A, compliance_N, compliance_T, compliance_S, compliance_B
%                 rows of A, N, D, S, B: diagonal of E, >= 0, m/s per N s. 0 (rigid)
%   and z0, basic_set, progress as for perp.solve_blcp, and all settings, listed at perp.Solver.
%   mu is required with D, unless the law is 'box' and has lo_T and hi_T.
%
%   Errors: perp:badSize, perp:badValue, perp:badBounds, perp:notSymmetric,
%   perp:notPositiveDefinite, perp:nullArgument (a vector that the law requires), perp:badSetting,
%   perp:unsupported, perp:badType, perp:badOption, perp:badCall.
%
%   Example: a mass of 2 kg on the ground, pushed; one step of 0.01 s
%       h = 0.01;
%       [z, u, info, v] = perp.solve_cone(2 * speye(3), [], [0 0 1], [1 0 0; 0 1 0], ...
%                                         h * [30; 0; -2 * 9.81], 'mu', 0.5, 'law', 'coulomb')
%
%   See also perp.solve_blcp, perp.System, perp.Problem, perp.Friction, perp.residual.
perp.internal.at_least(nargin, 5, 'perp.solve_cone(M, A, N, D, f, name, value, ...)');
own = {'S', 'B', 'mass_storage', 'symmetry_tolerance', 'law'};
[options, settings] = perp.internal.take(varargin, [own, perp.internal.row_names(), ...
                                                    perp.internal.start_names()]);
system = perp.internal.create_system(M, A, N, D, options, false);
no_system = onCleanup(@() perp_mex('destroy', system));
problem = perp_mex('problem_assemble', system, perp.internal.pick(options, 'law', 'cone'), ...
                   perp.internal.rows_of(f, options));
no_problem = onCleanup(@() perp_mex('destroy', problem));
[z, u, info] = perp.internal.solve(problem, settings, options);
if nargout > 3
    [~, v] = perp_mex('problem_velocity', problem, z);
end
end
