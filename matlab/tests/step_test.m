% Time steps: a block that slides and comes to rest, under every model.
h = 0.01; m = 2; g = 9.81; mu = 0.5; speed = 1;
system = perp.System(m * speye(3), [], [0 0 1], [1 0 0; 0 1 0]);
models = {'coulomb', 'box', 'bristle', 'polygon', 'cone'};
for k = 1:numel(models)
    model = models{k};
    friction = perp.Friction('model', model);
    v = [speed; 0; 0];
    for i = 1:5
        f = m * v + h * [0; 0; -m * g];
        % The relaxed law opens: it starts at the gap of steady sliding, and keeps it.
        gap = strcmp(model, 'cone') * mu * (v(1) - h * mu * g);
        [v, z, info, state] = friction.step(system, h, f, 'mu', mu, 'b_N', -gap, 'velocity', v, ...
                                            'tolerance', 1e-10);
        what = sprintf('%s, step %d', model, i);
        check(strcmp(info.outcome, 'solved') && info.converged == 1, '%s: %s', what, info.outcome);
        if strcmp(model, 'cone')
            continue  % see below
        end
        check_close(v, [speed - i * h * mu * g; 0; 0], 1e-6, what);
        check_close(z(1), h * m * g, 1e-6, [what, ': z']);
        check(isequal(state, 2) && info.slip == 1 && info.stick + info.open + info.roll == 0, ...
              '%s: state', what);
        work = mu * m * g * h * v(1);
        check(abs(info.dissipation - work) < 1e-6, '%s: dissipation', what);
    end
end

% The cone law in steady sliding with its gap: Coulomb's speed.
friction = perp.Friction();
v = [speed; 0; 0];
after = speed - h * mu * g;
[v, ~, info] = friction.step(system, h, m * v + h * [0; 0; -m * g], 'mu', mu, ...
                             'b_N', mu * after, 'tolerance', 1e-10);
check_close(v, [after; 0; 0], 1e-8, 'cone law with its gap');

% It comes to rest and stays there; a contact that opens.
friction = perp.Friction('model', 'coulomb');
v = [0.1; 0; 0];
for i = 1:5
    [v, ~, info, state] = friction.step(system, h, m * v + h * [0; 0; -m * g], 'mu', mu);
end
check(norm(v) < 1e-4 && state == 1 && info.stick == 1 && info.remembered == 1, 'rest');
[~, ~, info, state] = friction.step(system, h, [0; 0; 1], 'mu', mu);
check(state == 0 && info.open == 1, 'open');

% State: read, set, forgotten; steps go on from it to the bit.
s = small_step();
two = perp.System(s.M, s.A, s.N, s.D, 'B', s.B);
step = @(friction) friction.step(two, h, s.f, 'mu', 0.3, 'lo_B', -1, 'hi_B', 1, 'velocity', ...
                                 zeros(12, 1), 'id', int64([40; 7]));
friction = perp.Friction('model', 'bristle', 'stiffness', 1e5);
state = friction.state();
check(isempty(state.id) && isequal(size(state.record), [8 0]), 'no memory at first');
step(friction);
state = friction.state();
check(isa(state.id, 'int64') && isequal(state.id, int64([7; 40])), 'ids');
check(isequal(size(state.record), [8 2]) && all(state.record(1, :) > 0), 'records');
[v1, z1] = step(friction);
friction.set_state(state);
[v2, z2] = step(friction);
check(isequal(v1, v2) && isequal(z1, z2), 'the step again');
other = perp.Friction('model', 'bristle', 'stiffness', 1e5);
other.set_state(struct('id', [7 40], 'record', state.record));
[v3, z3] = step(other);
check(isequal(v1, v3) && isequal(z1, z3), 'the step elsewhere');
friction.set_state([]);
empty = friction.state();
check(isempty(empty.id), 'forgotten');
[~, ~, info] = step(friction);
check(info.remembered == 0, 'new contacts');
[~, ~, info] = step(friction);
check(info.remembered == 2, 'known contacts');
big = int64(2)^60 + 1;  % no double
friction.step(system, h, [0; 0; -1], 'mu', mu, 'velocity', [0; 0; 0], 'id', big);
state = friction.state();
check(isequal(state.id, big), 'ids of 64 bits');

% Every option of the contacts and of the model changes something, or is checked to pass through.
plain = @(varargin) perp.Friction(varargin{:});
axes = [cosd(30) -sind(30); sind(30) cosd(30); 0 0];
slide = [0.5; 0.5; 0];
f = m * slide + h * [0; 0; -m * g];
box = plain('model', 'box');
[given, ~, info] = box.step(system, h, f, 'mu', mu, 'tolerance', 1e-9);
box = plain('model', 'box', 'axes', 'sliding');
sliding = box.step(system, h, f, 'mu', mu, 'velocity', slide, 'tolerance', 1e-9);
check_close(norm(sliding), norm(slide) - h * mu * g, 1e-6, 'axes along the sliding velocity');
check_close(given, slide - [1; 1; 0] * h * mu * g, 1e-6, 'axes of D');
coarse = plain('model', 'polygon', 'facets', 4);
fine = plain('model', 'polygon', 'facets', 400);
[v4, z4] = coarse.step(system, h, f, 'mu', mu);
turned = coarse.step(system, h, f, 'mu', mu, 'facet_angle', pi / 4);
v400 = fine.step(system, h, f, 'mu', mu);
check_close(norm(v400), norm(slide) - h * mu * g, 1e-4, 'many facets');
check(norm(v4) > norm(v400) + 1e-3, 'few facets');
check_close(turned, v400, 1e-4, 'a facet along the motion');
deep = plain('model', 'coulomb', 'recovery_speed', 0.1);
v = deep.step(system, h, [0; 0; -1], 'mu', mu, 'b_N', -5, 'tolerance', 1e-9);
check_close(v(3), 0.1, 1e-8, 'recovery_speed');
soft = plain('model', 'bristle', 'stiffness', 1e4);
[~, ~, info] = soft.step(system, h, h * [1; 0; -m * g], 'mu', mu, 'velocity', [0; 0; 0]);
check(info.elastic_energy > 0, 'stiffness of the model');
rigid = plain('model', 'bristle');
[~, ~, info] = rigid.step(system, h, h * [1; 0; -m * g], 'mu', mu, 'velocity', [0; 0; 0]);
check(info.elastic_energy == 0, 'rigid bristles');
[~, ~, info] = rigid.step(system, h, h * [1; 0; -m * g], 'mu', mu, 'velocity', [0; 0; 0], ...
                          'stiffness', 1e4);
check(info.elastic_energy > 0, 'stiffness of the contact');
rigid = plain('model', 'bristle', 'sticking_speed', 10);
v = rigid.step(system, h, f, 'mu', mu, 'velocity', slide, 'sticking_speed', 1e-3);
check_close(norm(v), norm(slide) - h * mu * g, 1e-4, 'sticking_speed');
bounded = plain('model', 'box', 'bounds', 'previous', 'max_passes', 7, 'pass_tolerance', 1e-3);
[~, ~, info] = bounded.step(system, h, f, 'mu', mu, 'normal_estimate', m * g);
check(info.passes <= 7 && strcmp(info.outcome, 'solved'), 'bounds, max_passes, pass_tolerance');
turn = plain('model', 'bristle', 'stiffness', 1e4);
[~, z] = turn.step(system, h, h * [1; 0.5; -m * g], 'mu', mu, 'velocity', [0; 0; 0], 'axes', axes);
state = turn.state();
check_close(state.record(2:4), axes * z(2:3) / h, 1e-9, 'forces in the frame of the axes');
coulomb = plain('model', 'coulomb');
[~, ~, info] = coulomb.step(system, h, f, 'mu', mu, 'method', 'pgs');
check(strcmp(info.method, 'pgs'), 'settings pass through');
