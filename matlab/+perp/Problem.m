classdef Problem < handle
%PROBLEM  A contact problem or bounded complementarity problem, for several solves.
%   problem = perp.Problem.assemble(system, f, ...)    of one time step of a perp.System
%   problem = perp.Problem.blcp(H, q, lo, hi, ...)     lo <= z <= hi complementary to H z + q
%   problem = perp.Problem.delassus(W, q, mu, ...)     as FCLIB stores it
%   problem = perp.read(path, ...)                     from a file
%
%   Where one solve is all, perp.solve_cone, perp.solve_blcp and perp.solve_delassus do it. A
%   problem is for more: perp.Solver solves it again with new vectors or values, perp.residual tells
%   how right a z is, perp.write keeps it in a file, perp.form_matrix gives its matrix.
%
%   It is a handle: copies are the same problem. It is freed with the last copy, or by
%   delete(problem); solvers made of it stay valid.
%
%   Methods: set_rows, set_vectors, set_ties, set_law, update, info, velocity, supports, delete.
%
%   Example:
%       problem = perp.Problem.blcp([2 1; 1 2], [-1; 1], 0, Inf);
%       solver = perp.Solver(problem, 'tolerance', 1e-10);
%       z = solver.solve();
%       perp.residual(problem, z)
%
%   See also perp.Solver, perp.System, perp.residual, perp.read, perp.write, perp.form_matrix.
    properties (SetAccess = private, Hidden = true)
        id = uint64(0);  % by which perp_mex knows it; 0: none
    end
    methods (Static)
        function problem = assemble(system, f, varargin)
            %ASSEMBLE  The problem of one time step of a system.
            %   problem = perp.Problem.assemble(system, f, name, value, ...): f and the options law
            %   and the vectors u, b_N, mu, ... are those of perp.solve_cone.
            %
            %   Errors: perp:badHandle, perp:badSize, perp:badValue, perp:badBounds,
            %   perp:nullArgument, perp:unsupported, perp:badType, perp:badOption, perp:badCall.
            usage = 'perp.Problem.assemble(system, f, name, value, ...)';
            perp.internal.at_least(nargin, 2, usage);
            number = perp.internal.id(system, 'perp.System', 'system');
            [options, rest] = perp.internal.take(varargin, [{'law'}, perp.internal.row_names()]);
            perp.internal.nothing_else(rest);
            law = perp.internal.pick(options, 'law', 'cone');
            rows = perp.internal.rows_of(f, options);
            problem = perp.Problem(perp_mex('problem_assemble', number, law, rows));
        end

        function problem = blcp(H, q, lo, hi, varargin)
            %BLCP  A bounded linear complementarity problem.
            %   problem = perp.Problem.blcp(H, q, lo, hi, name, value, ...): arguments and the
            %   option ties are those of perp.solve_blcp.
            %
            %   Errors: perp:badSize, perp:badValue, perp:badBounds, perp:badIndex, perp:badType,
            %   perp:badOption, perp:badCall.
            perp.internal.at_least(nargin, 4, 'perp.Problem.blcp(H, q, lo, hi, name, value, ...)');
            [options, rest] = perp.internal.take(varargin, {'ties'});
            perp.internal.nothing_else(rest);
            problem = perp.Problem(perp_mex('problem_blcp', H, q, lo, hi, true));
            if isfield(options, 'ties')
                problem.set_ties(options.ties);
            end
        end

        function problem = delassus(W, q, mu, varargin)
            %DELASSUS  A problem in Delassus form.
            %   problem = perp.Problem.delassus(W, q, mu, name, value, ...): arguments and options
            %   (tangential_rows, angular_rows, rho, sigma, V, R, s, law) are those of
            %   perp.solve_delassus.
            %
            %   Errors: perp:badSize, perp:badValue, perp:nullArgument, perp:badType,
            %   perp:badOption, perp:badCall.
            perp.internal.at_least(nargin, 3, 'perp.Problem.delassus(W, q, mu, name, value, ...)');
            [options, rest] = perp.internal.take(varargin, perp.internal.delassus_names());
            perp.internal.nothing_else(rest);
            problem = perp.Problem(perp.internal.create_delassus(W, q, mu, options, true));
        end
    end
    methods
        function problem = Problem(id)
            % For the functions of perp: takes over what perp_mex has made.
            if nargin ~= 1 || ~isa(id, 'uint64')
                error('perp:badCall', ['problems are made by perp.Problem.assemble, ', ...
                                       'perp.Problem.blcp, perp.Problem.delassus or perp.read']);
            end
            problem.id = id;
        end

        function set_rows(problem, f, varargin)
            %SET_ROWS  New vectors for an assembled problem; the law stays.
            %   problem.set_rows(f, name, value, ...): all vectors, as for perp.solve_cone; those
            %   not given have their defaults again. The option system, a perp.System of the same
            %   sizes, gives the matrices as well: the problem is then what assembling it from
            %   that system gives. Solvers follow, and keep what they know of the pattern.
            %
            %   Errors: those of perp.Problem.assemble; perp:badSize where the system has other
            %   sizes; perp:unsupported where the problem is not made of a system.
            perp.internal.at_least(nargin, 2, 'problem.set_rows(f, name, value, ...)');
            names = [{'system'}, perp.internal.row_names()];
            [options, rest] = perp.internal.take(varargin, names);
            perp.internal.nothing_else(rest);
            number = [];
            if isfield(options, 'system')
                number = perp.internal.id(options.system, 'perp.System', 'system');
            end
            perp_mex('problem_set_rows', problem.id, perp.internal.rows_of(f, options), number);
        end

        function set_vectors(problem, varargin)
            %SET_VECTORS  New vectors for a problem made of a matrix; the others stay.
            %   problem.set_vectors(name, value, ...) with q, lo and hi of a bounded problem (a
            %   number for lo or hi is that of all rows), or q of a Delassus form.
            %
            %   Errors: perp:badSize, perp:badValue, perp:badBounds, perp:unsupported,
            %   perp:badType, perp:badOption, perp:badHandle.
            [options, rest] = perp.internal.take(varargin, {'q', 'lo', 'hi'});
            perp.internal.nothing_else(rest);
            pick = @(name) perp.internal.pick(options, name, []);
            perp_mex('problem_set_vectors', problem.id, pick('q'), pick('lo'), pick('hi'));
        end

        function set_ties(problem, ties)
            %SET_TIES  Bounds tied to impulses, of a bounded problem; they replace earlier ones.
            %   problem.set_ties(ties): k x 3, [row, normal, coefficient], as for perp.solve_blcp.
            %   []: none; rows that were tied are then free.
            %
            %   Errors: perp:badIndex, perp:badValue, perp:badBounds (a row with bounds of its own),
            %   perp:badSize, perp:unsupported, perp:badType, perp:badHandle, perp:badCall.
            perp.internal.at_least(nargin, 2, 'problem.set_ties(ties)');
            perp.internal.set_ties(problem.id, ties);
        end

        function set_law(problem, law)
            %SET_LAW  Changes between 'cone' and 'coulomb' for a problem of cones.
            %   problem.set_law(law)
            %
            %   Errors: perp:badValue, perp:unsupported (bounds in place of cones, 'box'),
            %   perp:badType, perp:badHandle, perp:badCall.
            perp.internal.at_least(nargin, 2, 'problem.set_law(law)');
            perp_mex('problem_set_law', problem.id, perp.internal.text(law, 'law'));
        end

        function update(problem, matrix)
            %UPDATE  New values for H or W.
            %   problem.update(matrix): of the same size, and without entries where there were none.
            %
            %   Errors: perp:badSize, perp:badPattern, perp:badValue, perp:unsupported (made of a
            %   system, or read from a file), perp:badType, perp:badHandle, perp:badCall.
            perp.internal.at_least(nargin, 2, 'problem.update(matrix)');
            perp_mex('problem_update', problem.id, matrix);
        end

        function result = info(problem)
            %INFO  What a problem is.
            %   result = problem.info() is a struct: rows (of z and u), velocities, bilateral,
            %   contacts, tangential_rows and angular_rows per contact, boxes, law ('cone',
            %   'coulomb', 'box'), matrix_form ('system', 'blcp', 'delassus'), nonzeros,
            %   largest_mass_block, asymmetry, free_velocity_norm (denominator of eta, sqrt(J)),
            %   tied (rows with bounds tied to impulses).
            result = perp_mex('problem_info', problem.id);
        end

        function [u, v] = velocity(problem, z)
            %VELOCITY  Velocities that belong to impulses.
            %   [u, v] = problem.velocity(z): u of the rows of z; v = M \ (f + J' z), n x 1, of
            %   problems made of a system.
            %
            %   Errors: perp:badSize, perp:unsupported (v of a problem made of a matrix),
            %   perp:badType, perp:badHandle, perp:badCall.
            perp.internal.at_least(nargin, 2, 'problem.velocity(z)');
            if nargout > 1
                [u, v] = perp_mex('problem_velocity', problem.id, z);
            else
                u = perp_mex('problem_velocity', problem.id, z);
            end
        end

        function [fits, reason] = supports(problem, method)
            %SUPPORTS  Can a method take this problem?
            %   [fits, reason] = problem.supports(method): method is a name ('pgs', 'pivoting', ...,
            %   see perp.Solver); reason says why not.
            %
            %   Errors: perp:badSetting (unknown method), perp:badType, perp:badHandle,
            %   perp:badCall.
            perp.internal.at_least(nargin, 2, 'problem.supports(method)');
            [fits, reason] = perp_mex('problem_supports', problem.id, ...
                                      perp.internal.text(method, 'method'));
        end

        function delete(problem)
            %DELETE  Frees a problem. Using it afterwards is an error (perp:badHandle).
            perp_mex('destroy', problem.id);
        end
    end
end
