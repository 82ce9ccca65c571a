function [z, u, info] = solve_delassus(W, q, mu, varargin)
%SOLVE_DELASSUS  Solves a contact problem in Delassus form, as FCLIB stores it.
%   [z, u, info] = perp.solve_delassus(W, q, mu, name, value, ...) finds z = [x; y] with
%
%       u = W x + V y + q,   V' x + R y + s = 0
%
%   where every contact's part of x is in its friction cone and u complementary to it. Rows of a
%   contact are contiguous: normal, sliding, sliding, then those of rolling.
%
%   W   p x p, sparse or full, m/s per N s. It is used as given also where it is not symmetric
%   q   p: velocities without impulses, m/s
%   mu  sliding coefficient of each contact, >= 0, or one number for all; [] without sliding rows
%
%   z     rows of W, then those of y
%   u     the same rows; those of y are zero but for eta
%   info  struct, as for perp.solve_blcp
%
%   Options:
%     tangential_rows  per contact: 0, 1 (planar) or 2. Default 2
%     angular_rows     per contact: 0, 1 or 2 (rolling), 3 (spin, roll, roll). Default 0
%     rho, sigma       per contact, or one number: rolling and spinning length, >= 0, m. 0
%     V, R, s          p x m, m x m, m (or one number): equations. None; zero; 0
%     law              'cone' (default) or 'coulomb', see perp.solve_cone
%   and z0, basic_set, progress as for perp.solve_blcp, and all settings, listed at perp.Solver.
%
%   Errors: perp:badSize, perp:badValue, perp:nullArgument, perp:badSetting, perp:unsupported,
%   perp:badType, perp:badOption, perp:badCall.
%
%   Example: a contact that is pushed sideways
%       [z, u, info] = perp.solve_delassus(eye(3), [-1; 0.2; 0], 0.5)
%
%   See also perp.solve_cone, perp.solve_blcp, perp.Problem, perp.read.
perp.internal.at_least(nargin, 3, 'perp.solve_delassus(W, q, mu, name, value, ...)');
[options, settings] = perp.internal.take(varargin, [perp.internal.delassus_names(), ...
                                                    perp.internal.start_names()]);
problem = perp.internal.create_delassus(W, q, mu, options, false);
cleanup = onCleanup(@() perp_mex('destroy', problem));
[z, u, info] = perp.internal.solve(problem, settings, options);
end
