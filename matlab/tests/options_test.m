% Every option does what it says; names and values pass through as they are.
h = 0.01; m = 2; g = 9.81;
M = m * speye(3); N = [0 0 1]; D = [1 0 0; 0 1 0];
f = h * [30; 0; -m * g];
exact = {'tolerance', 1e-11};
solve = @(varargin) perp.solve_cone(M, [], N, D, f, 'mu', 0.5, 'law', 'coulomb', exact{:}, ...
                                    varargin{:});
z = solve();

% Vectors of a step: gaps, velocities, compliance.
[~, ~, ~, v] = perp.solve_cone(M, [], N, [], f, 'b_N', 0.5, exact{:});
check_close(v(3), -h * g, 1e-12, 'b_N: a gap that stays open');
[~, ~, ~, v] = perp.solve_cone(M, [], N, [], f, 'b_N', 0.02, exact{:});
check_close(v(3), -0.02, 1e-12, 'b_N: a gap that closes');
c = 0.3;
z = perp.solve_cone(M, [], N, [], f, 'compliance_N', c, exact{:});
check_close(z, h * g / (1 / m + c), 1e-10, 'compliance_N');
[~, u] = solve('b_T', [1; 0]);
check(u(2) > 1, 'b_T');
[~, ~, ~, v] = perp.solve_cone(diag([1 3]), [1 -1], [], [], [4; 0], 'u', 0.25, exact{:});
check_close(v(1) - v(2), 0.25, 1e-12, 'u');
z = perp.solve_cone(diag([1 3]), [1 -1], [], [], [4; 0], 'compliance_A', 2, exact{:});
check_close(z, -4 / (4 / 3 + 2), 1e-12, 'compliance_A');
z = perp.solve_cone(M, [], N, D, h * [1; 0; -m * g], 'mu', 0.5, 'compliance_T', [1; 1], exact{:});
check_close(z(2), -h / m / (1 / m + 1), 1e-9, 'compliance_T');
z = perp.solve_cone(1, [], [], [], 5, 'B', 1, 'lo_B', -2, 'hi_B', 3);
check_close(z, -2, 1e-12, 'lo_B');
z = perp.solve_cone(1, [], [], [], -5, 'B', 1, 'lo_B', -2, 'hi_B', 3);
check_close(z, 3, 1e-12, 'hi_B');
z = perp.solve_cone(1, [], [], [], 1, 'B', 1, 'lo_B', -2, 'hi_B', 3, 'b_B', 0.5);
check_close(z, -1.5, 1e-12, 'b_B');
z = perp.solve_cone(1, [], [], [], 1, 'B', 1, 'lo_B', -2, 'hi_B', 3, 'compliance_B', 1);
check_close(z, -0.5, 1e-12, 'compliance_B');

% Rolling and spinning: a ball that spins on the ground, held back by sigma and rho.
M6 = diag([1 1 1 0.1 0.1 0.1]);
N6 = [0 0 1 0 0 0]; D6 = [1 0 0 0 0 0; 0 1 0 0 0 0];
S6 = [0 0 0 0 0 1; 0 0 0 1 0 0; 0 0 0 0 1 0];
spin = [0; 0; -1; 0.2; 0; 0.5];
ball = @(varargin) perp.solve_cone(M6, [], N6, D6, spin, 'S', S6, 'mu', 0.5, 'law', 'coulomb', ...
                                   exact{:}, varargin{:});
z = ball('sigma', 0.1, 'rho', 0.05);
check_close(z([1 4 5]), [1; -0.1; -0.05], 1e-8, 'sigma and rho');
z = ball();
check_close(z(4:6), [0; 0; 0], 1e-12, 'no sigma and rho');
[~, u] = ball('sigma', 0.1, 'b_S', [1; 0; 0]);
check_close(u(4), 1 + (0.5 - 0.1) / 0.1, 1e-7, 'b_S');
z = ball('compliance_S', 10, 'sigma', 10);
check_close(z(4), -5 / (1 / 0.1 + 10), 1e-8, 'compliance_S');

% Matrices: one triangle of M, and what symmetry allows.
M2 = [2 0.5; 0.5 1];
full_z = perp.solve_cone(M2, [], [1 0], [], [-1; 0]);
lower_z = perp.solve_cone(tril(M2), [], [1 0], [], [-1; 0], 'mass_storage', 'lower');
upper_z = perp.solve_cone(triu(M2), [], [1 0], [], [-1; 0], 'mass_storage', 'upper');
check(isequal(lower_z, full_z) && isequal(upper_z, full_z), 'mass_storage');
check_error('perp:badValue', @() perp.solve_cone(M2, [], [1 0], [], [-1; 0], ...
                                                 'mass_storage', 'half'), 'mass_storage');
M3 = M2; M3(1, 2) = 0.5 + 1e-6;
check_error('perp:notSymmetric', @() perp.solve_cone(M3, [], [1 0], [], [-1; 0]), 'symmetry');
perp.solve_cone(M3, [], [1 0], [], [-1; 0], 'symmetry_tolerance', 1e-3);

% Every setting, with a value that is not the default, and back from the solver.
problem = perp.Problem.blcp([2 1; 1 2], [-1; 1], 0, Inf);
solver = perp.Solver(problem);
changed = struct('method', 'aapgs', 'tolerance', 1e-7, 'max_iterations', 777, ...
                 'time_limit', 12.5, 'warm_start', 1, 'relaxation', 1.25, ...
                 'sweep_order', 'random', ...
                 'symmetric_sweep', 1, 'seed', 5, 'check_interval', 3, 'stagnation_window', 99, ...
                 'threads', 2, 'eliminate_bilateral', 0, 'anderson_window', 4, 'tie_rounds', 11, ...
                 'least_norm', 1);
check(isequal(sort(fieldnames(changed)), sort(fieldnames(solver.settings()))), 'all settings');
for name = fieldnames(changed)'
    value = changed.(name{1});
    check(~isequal(solver.settings().(name{1}), value), '%s is the default', name{1});
    solver.set(name{1}, value);
    check(isequal(solver.settings().(name{1}), value), '%s', name{1});
    one = perp.Solver(problem, name{1}, value);
    check(isequal(one.settings().(name{1}), value), '%s at creation', name{1});
    if ~ischar(value)
        one = perp.Solver(problem, name{1}, sprintf('%.17g', value));
        check(isequal(one.settings().(name{1}), value), '%s as text', name{1});
    end
end
check(isequal(solver.settings(), orderfields(changed, solver.settings())), 'all together');
solver.set('warm_start', false, 'tolerance', 0.1);
check(solver.settings().warm_start == 0 && solver.settings().tolerance == 0.1, 'true and false');
check_error('perp:badSetting', @() solver.set('tolerance', 1e-3, 'threads', 0), 'out of range');
check(solver.settings().tolerance == 0.1, 'all or none');
check_error('perp:badSetting', @() solver.set('tolerence', 1e-3), 'unknown name');
[~, ~, info] = perp.solve_blcp([2 1; 1 2], [-1; 1], 0, Inf, 'method', 'pgs');
check(strcmp(info.method, 'pgs'), 'method');
[~, ~, info] = perp.solve_blcp(toeplitz([2 -1 zeros(1, 30)]), ones(32, 1), -1, Inf, 'method', ...
                               'pgs', 'max_iterations', 1, 'tolerance', 1e-12);
check(strcmp(info.outcome, 'iteration limit'), 'max_iterations');

% Every method that fits, and reasons where one does not.
for method = {'pgs', 'apgd', 'aapgs', 'pivoting', 'keller', 'lemke', 'auto', 'ipm', 'newton', ...
              'accurate'}
    [z, ~, info] = perp.solve_blcp([2 1; 1 2], [-1; 1], 0, Inf, 'method', method{1}, ...
                                   'tolerance', 1e-8);
    check_close(z, [0.5; 0], 1e-6, method{1});
end
cones = perp.Problem.delassus(eye(3), [-1; 0.2; 0], 0.5);
[fits, reason] = cones.supports('pgs');
check(islogical(fits) && fits && isempty(reason), 'supports pgs');
[fits, reason] = cones.supports('lemke');
check(~fits && ~isempty(strfind(reason, 'contact 1 is a cone')), 'reason: %s', reason);
check_error('perp:badSetting', @() cones.supports('simplex'), 'unknown method');

% Guesses, basic sets, ties.
H = [2 1; 1 2]; q = [-1; 1];
[~, ~, info] = perp.solve_blcp(H, q, 0, Inf, 'z0', [0.5; 0], 'method', 'pgs');
check(info.iterations == 0, 'z0 is the answer');
[~, ~, info] = perp.solve_blcp(H, q, 0, Inf, 'basic_set', [0; -1], 'method', 'pivoting');
check(info.block_steps + info.single_pivots == 0, 'basic_set is the answer');
% z(1) = 1 whatever; z(2) between -0.5 z(1) and 0.5 z(1).
z = perp.solve_blcp(eye(2), [-1; -3], [0 -Inf], [Inf Inf], 'ties', [2 1 0.5], 'tolerance', 1e-10);
check_close(z, [1; 0.5], 1e-8, 'ties');
z = perp.solve_blcp(eye(2), [-1; -3], [0 -Inf], [Inf Inf], 'ties', []);
check_close(z, [1; 3], 1e-8, 'no ties');

% Options of a Delassus form.
contact = @(varargin) perp.solve_delassus(varargin{:}, exact{:});
check_close(contact(eye(2), [-1; 5], 0.5, 'tangential_rows', 1, 'law', 'coulomb'), [1; -0.5], ...
            1e-8, 'planar');
q = [-1; 0; 0; 0.5; 0; 0];
z = contact(eye(6), q, 0.5, 'angular_rows', 3, 'sigma', 0.1, 'law', 'coulomb');
check_close(z(4), -0.1, 1e-8, 'sigma');
z = contact(eye(6), q([1 2 3 5 4 6]), 0.5, 'angular_rows', 3, 'rho', 0.2, 'law', 'coulomb');
check_close(z(5), -0.2, 1e-8, 'rho');
z = contact(1, -1, [], 'tangential_rows', 0, 'V', 1, 'R', -1, 's', 0);
check_close(z, [0.5; 0.5], 1e-8, 'V, R');
