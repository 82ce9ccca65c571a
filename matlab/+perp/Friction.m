classdef Friction < handle
%FRICTION  A law of friction, and what the contacts did in the step before: for time stepping.
%   friction = perp.Friction(name, value, ...). An integrator calls friction.step(system, h, f, ...)
%   in every time step; it makes the problem or problems of the step and solves them.
%
%   Options:
%     model  'cone' (default)  cones, convex relaxation: give gaps as b_N = gap / h, and move
%                              positions with the new velocity; what slides opens
%            'coulomb'         the exact law in the same cones
%            'bristle'         bristles that bend, then slide: what sticks does not creep
%            'box'             each sliding row between -mu z_N and mu z_N
%            'polygon'         facets in place of the circle, by Lemke's method
%     bounds          box, bristle, normal impulses in the bounds: 'auto' (default), 'previous',
%                     'iterated'
%     axes            box: 'given' (default), or 'sliding': the first axis along the velocity
%     facets          polygon: 3 to 1000. 4
%     max_passes      problems solved in a step, at most. 100
%     pass_tolerance  relative change at which passes end; 0: the solver's tolerance. 0
%     sticking_speed  bristle: above it a contact slides, >= 0, m/s. 1e-3
%     stiffness       bristle: >= 0, N/m; 0 and Inf: rigid. 0
%     recovery_speed  fastest that penetration is undone, >= 0, m/s. Inf
%
%   It is a handle: copies are the same. It is freed with the last copy, or by delete(friction).
%
%   Methods: step, state, set_state, delete.
%
%   Errors: perp:badSetting, perp:badSize, perp:badValue, perp:badType, perp:badOption.
%
%   Example: a mass that slides and comes to rest
%       system = perp.System(speye(3), [], [0 0 1], [1 0 0; 0 1 0]);
%       friction = perp.Friction('model', 'coulomb');
%       h = 0.01; v = [1; 0; 0];
%       for k = 1:30
%           v = friction.step(system, h, v + h * [0; 0; -9.81], 'mu', 0.5);
%       end
%
%   See also perp.System, perp.Problem, perp.solve_cone.
    properties (SetAccess = private, Hidden = true)
        id = uint64(0);  % by which perp_mex knows it; 0: none
    end
    methods
        function friction = Friction(varargin)
            names = {'model', 'bounds', 'axes', 'facets', 'max_passes', 'pass_tolerance', ...
                     'sticking_speed', 'stiffness', 'recovery_speed'};
            [options, rest] = perp.internal.take(varargin, names);
            if ~isempty(rest)
                error('perp:badSetting', 'there is no setting "%s" of friction', rest{1});
            end
            friction.id = perp_mex('friction_create', options);
        end

        function [v, z, info, state] = step(friction, system, h, f, varargin)
            %STEP  One time step: velocities and impulses at its end.
            %   [v, z, info, state] = friction.step(system, h, f, name, value, ...)
            %
            %   system  a perp.System
            %   h       length of the step, > 0, s
            %   f       n: M v + h (forces), N s, with the velocity v at the start of the step
            %
            %   v      n x 1: velocities at the end of the step
            %   z      rows of A, N, D, S, B of the system: impulses, N s
            %   info   struct: outcome ('solved', ...) and outcome_number, converged (1: the passes
            %          of the model came to an end), eta, law_residual, dissipation (J),
            %          elastic_energy (J), numbers of contacts open, stick, slip, roll, remembered,
            %          and counts and seconds as perp_step_info has them
            %   state  r x 1: 0 open, 1 stick, 2 slip, 3 roll
            %   Where the outcome is 'no solution' or 'numerical failure', or on an error, friction
            %   remembers what it did before.
            %
            %   Options: the vectors mu, b_N, ... of perp.solve_cone; and of the contacts
            %     velocity  n: at the start of the step; for 'bristle', and 'axes' = 'sliding'
            %     id        r whole numbers (double or int64), all different: who a contact is from
            %               step to step. Default: the row's number, 0 for the first
            %     axes      3 x rows of D: the sliding axes in a frame that does not turn with them
            %     sticking_speed, stiffness  r, or one number: in place of those of friction
            %     normal_estimate  r, or one number: force expected of new contacts, N. 0
            %     facet_angle      r, or one number: polygon, of the first facet from axis 1, rad. 0
            %   and all settings, listed at perp.Solver ('tolerance', 'method', ...).
            %
            %   Errors: perp:badHandle, perp:badSize, perp:badValue, perp:badBounds,
            %   perp:nullArgument, perp:badSetting, perp:unsupported, perp:badType, perp:badOption,
            %   perp:badCall.
            perp.internal.at_least(nargin, 4, 'friction.step(system, h, f, name, value, ...)');
            number = perp.internal.id(system, 'perp.System', 'system');
            names = {'velocity', 'id', 'axes', 'sticking_speed', 'stiffness', ...
                     'normal_estimate', 'facet_angle'};
            [options, rest] = perp.internal.take(varargin, perp.internal.row_names());
            [contacts, settings] = perp.internal.take(rest, names);
            rows = perp.internal.rows_of(f, options);
            [v, z, info, state] = perp_mex('friction_step', friction.id, number, h, rows, ...
                                           contacts, settings);
        end

        function result = state(friction)
            %STATE  What friction remembers of the step before.
            %   result = friction.state() is a struct with
            %     id      count x 1, int64: the contacts, ascending
            %     record  8 x count: normal force, sliding force (3), spinning torque, rolling
            %             torque (3) of each; N and N m
            [id, record] = perp_mex('friction_state', friction.id);
            result = struct('id', {id}, 'record', {record});
        end

        function set_state(friction, state)
            %SET_STATE  Replaces what friction remembers; an integrator rejects a step by it.
            %   friction.set_state(state): a struct of friction.state(). []: forgets all contacts.
            %   Steps go on from it as from the same state that came about, to the bit.
            %
            %   Errors: perp:badSize, perp:badValue, perp:badType, perp:badHandle, perp:badCall.
            perp.internal.at_least(nargin, 2, 'friction.set_state(state)');
            if isempty(state) && isnumeric(state)
                state = struct('id', {[]}, 'record', {[]});
            end
            if ~isstruct(state) || ~isscalar(state) || ~isfield(state, 'id') || ...
               ~isfield(state, 'record')
                error('perp:badType', 'state is not a struct with id and record');
            end
            perp_mex('friction_set_state', friction.id, state.id, state.record);
        end

        function delete(friction)
            %DELETE  Frees it. Using it afterwards is an error (perp:badHandle).
            perp_mex('destroy', friction.id);
        end
    end
end
