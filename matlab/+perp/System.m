classdef System < handle
%SYSTEM  Mass matrix and Jacobians of a multibody system with contacts.
%   system = perp.System(M, A, N, D, name, value, ...) checks and compresses the matrices and
%   factorizes M. Problems (perp.Problem.assemble) and time steps (perp.Friction/step) are made of
%   it. The matrices are those of perp.solve_cone, and so are the options: S, B, mass_storage,
%   symmetry_tolerance.
%
%   When matrices change from step to step, but not their size: system.update('N', N). Entries keep
%   their places: a sparse matrix may lose entries (they are then 0), but has none where it had
%   none at first. Of a full matrix all entries count, zeros as well.
%
%   It is a handle: copies are the same system. It is freed with the last copy, or by
%   delete(system); what was made of it stays valid.
%
%   Properties (to read):
%     sizes  struct: velocities n, bilateral m, contacts r, sliding (rows of D), angular (rows of
%            S), boxes k, and rows: of z and u
%
%   Methods: update, delete.
%
%   Errors: perp:badSize, perp:badValue, perp:notSymmetric, perp:notPositiveDefinite,
%   perp:badSetting, perp:badType, perp:badOption, perp:badCall.
%
%   Example:
%       system = perp.System(2 * speye(3), [], [0 0 1], [1 0 0; 0 1 0]);
%
%   See also perp.Friction, perp.Problem, perp.solve_cone.
    properties (SetAccess = private)
        sizes = struct();
    end
    properties (SetAccess = private, Hidden = true)
        id = uint64(0);  % by which perp_mex knows it; 0: none
    end
    methods
        function system = System(M, A, N, D, varargin)
            perp.internal.at_least(nargin, 4, 'perp.System(M, A, N, D, name, value, ...)');
            names = {'S', 'B', 'mass_storage', 'symmetry_tolerance'};
            [options, rest] = perp.internal.take(varargin, names);
            perp.internal.nothing_else(rest);
            system.id = perp.internal.create_system(M, A, N, D, options, true);
            system.sizes = perp_mex('system_sizes', system.id);
        end

        function update(system, name, matrix)
            %UPDATE  New values for one matrix of a system.
            %   system.update(name, matrix): name is 'M', 'A', 'N', 'D', 'S' or 'B'; matrix has
            %   the size that it had and no entries in other places. Equals a new system, to the
            %   bit. Problems made before keep the old values.
            %
            %   Errors: perp:badSize, perp:badPattern, perp:badValue, perp:notSymmetric,
            %   perp:notPositiveDefinite, perp:badType, perp:badHandle, perp:badCall.
            perp.internal.at_least(nargin, 3, 'system.update(name, matrix)');
            perp_mex('system_update', system.id, perp.internal.text(name, 'name'), matrix);
        end

        function delete(system)
            %DELETE  Frees a system. Using it afterwards is an error (perp:badHandle).
            perp_mex('destroy', system.id);
        end
    end
end
