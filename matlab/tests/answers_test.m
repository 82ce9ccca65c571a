% Known answers of every way to solve, and inputs that stay as they are.

% A bounded problem: one row inside, one at its lower, one at its upper bound.
H = [4 1 0; 1 3 0; 0 0 2];
q = [-2; 5; -9];
[z, u, info] = perp.solve_blcp(H, q, [0; 0; 0], [10; 10; 1]);
check_close(z, [0.5; 0; 1], 1e-12, 'z');
check_close(u, H * z + q, 1e-12, 'u');
check(strcmp(info.outcome, 'solved') && info.outcome_number == 1, 'outcome');
check(isempty(info.certificate), 'certificate of a solved problem');
check(info.eta <= 1e-4 && strcmp(info.method, 'pivoting'), 'info');

% Sparse and full, rows and columns, one number for all: the same.
for form = {H, sparse(H)}
    for vector = {q, q', sparse(q)}
        again = perp.solve_blcp(form{1}, vector{1}, 0, [10 10 1]);
        check(isequal(again, z), 'form of the input');
    end
end
check_close(perp.solve_blcp(eye(3), 1:3, [], []), -(1:3)', 1e-12, 'no bounds, diagonal, range');
swap = eye(2); swap = swap(:, [2 1]);
check_close(perp.solve_blcp(swap, [1 2], [], []), [-2; -1], 1e-6, 'permutation');
[z, u] = perp.solve_blcp([], [], [], []);
check(isequal(size(z), [0 1]) && isequal(size(u), [0 1]), 'an empty problem');

% No solution, with a proof: 0 z + 1 = 0 cannot be.
[~, ~, info] = perp.solve_blcp([1 0; 0 0], [0; 1], [], []);
check(strcmp(info.outcome, 'no solution') && info.outcome_number == 5, 'no solution');
check(~isempty(info.certificate) && [0 1] * info.certificate < 0, 'certificate');

% A mass that is pushed, in space: it slides at F - mu m g, exactly by Coulomb's law.
h = 0.01; m = 2; g = 9.81; F = 30; mu = 0.5;
M = m * speye(3); N = [0 0 1]; D = [1 0 0; 0 1 0];
f = h * [F; 0; -m * g];
speed = h * (F - mu * m * g) / m;
[z, u, info, v] = perp.solve_cone(M, [], N, D, f, 'mu', mu, 'law', 'coulomb', 'tolerance', 1e-10);
check_close(v, [speed; 0; 0], 1e-9, 'v, Coulomb');
check_close(z, h * [m * g; -mu * m * g; 0], 1e-9, 'z, Coulomb');
check_close(u, [0; speed; 0], 1e-9, 'u, Coulomb');
% By the cone law it opens, at mu times its speed.
[~, ~, ~, v] = perp.solve_cone(M, [], N, D, f, 'mu', mu, 'tolerance', 1e-10);
check_close(v(3), mu * v(1), 1e-9, 'lift-off of the cone law');
check_close(v(1), speed / (1 + mu^2), 1e-9, 'speed by the cone law');
% By bounds: fixed ones, and tied ones.
limit = mu * m * g * h;
[~, ~, ~, v] = perp.solve_cone(M, [], N, D, f, 'law', 'box', 'lo_T', -limit, 'hi_T', limit);
check_close(v, [speed; 0; 0], 1e-9, 'v, fixed bounds');
[~, ~, ~, v] = perp.solve_cone(M, [], N, D, f, 'law', 'box', 'mu', mu, 'tolerance', 1e-10);
check_close(v, [speed; 0; 0], 1e-9, 'v, tied bounds');

% In the plane, and without friction.
[z, ~, ~, v] = perp.solve_cone(m * eye(2), [], [0 1], [1 0], f([1 3]), 'mu', mu, ...
                               'law', 'coulomb', 'tolerance', 1e-10);
check_close(v, [speed; 0], 1e-9, 'v in the plane');
check_close(z, h * m * g * [1; -mu], 1e-9, 'z in the plane');
[z, ~, ~, v] = perp.solve_cone(M, [], N, [], f);
check_close(v, [h * F / m; 0; 0], 1e-12, 'v without friction');
check(isequal(size(z), [1 1]), 'z without friction');

% Joints: two masses that a joint holds together.
[z, u, ~, v] = perp.solve_cone(diag([1 3]), [1 -1], [], [], [4; 0], 'tolerance', 1e-12);
check_close(v, [1; 1], 1e-12, 'v of a joint');
check_close(z, -3, 1e-12, 'z of a joint');
check_close(u, 0, 1e-12, 'u of a joint');

% A Delassus form, with and without an equation.
[z, u] = perp.solve_delassus(eye(3), [-1; 0.2; 0], 0.5, 'tolerance', 1e-12);
check_close(z, [1; -0.2; 0], 1e-10, 'Delassus form that sticks');
check_close(u, [0; 0; 0], 1e-10, 'its velocities');
[z, ~, info] = perp.solve_delassus(2, -1, [], 'tangential_rows', 0, 'V', 1, 'R', -1, 's', 0.5, ...
                                   'tolerance', 1e-12);
% u = 2 x + y - 1 = 0, x - y + 0.5 = 0
check(strcmp(info.outcome, 'solved'), 'Delassus form with an equation');
check_close(z, [1; 4] / 6, 1e-9, 'its answer');

% The same problem through objects, and its matrix, to the last bit.
s = small_step();
system = perp.System(s.M, s.A, s.N, s.D, 'S', s.S, 'B', s.B);
check(isequal(system.sizes.rows, 1 + 2 + 4 + 6 + 1) && system.sizes.velocities == 12, 'sizes');
options = {'mu', 0.3, 'rho', 0.01, 'sigma', 0.02, 'lo_B', -0.01, 'hi_B', 0.01};
settings = {'tolerance', 1e-9};
problem = perp.Problem.assemble(system, s.f, options{:});
[z1, u1, info1] = perp.Solver(problem, settings{:}).solve();
[z2, u2, info2, v2] = perp.solve_cone(s.M, s.A, s.N, s.D, s.f, 'S', s.S, 'B', s.B, options{:}, ...
                                      settings{:});
check(isequal(z1, z2) && isequal(u1, u2) && info1.eta == info2.eta, 'objects and functions');
check(strcmp(info1.outcome, 'solved'), 'small step is solved');
[u3, v3] = problem.velocity(z1);
check(isequal(u3, u2) && isequal(v3, v2), 'velocities');
J = [s.A; s.N; s.D; s.S; s.B];
W = perp.form_matrix(problem);
check(issparse(W), 'W is sparse');
check_close(W, J * (s.M \ J'), 1e-12, 'W');
check_close(v2, s.M \ (s.f + J' * z2), 1e-12, 'v');
r = perp.residual(problem, z1);
check(r.eta == info1.eta && r.eta <= 1e-9, 'residual of an answer');
[~, worst] = max(abs(z1));
wrong = z1; wrong(worst) = wrong(worst) + 1;
r = perp.residual(problem, wrong);
check(r.eta > 0.1 && r.worst_row >= 1 && r.worst_row <= numel(z1), 'residual of a wrong answer');
r = perp.residual(perp.Problem.blcp(eye(3), [0; 0; -1], 0, Inf), [0; 0; 0]);
check(r.worst_row == 3 && abs(r.eta - 1) < 1e-12, 'worst row counts from 1');
r = perp.residual(perp.Problem.blcp(eye(2), [1; 1], 0, Inf), [0; 0]);
check(r.worst_row == 0 && r.eta == 0, 'no worst row');

% Nothing is written into an input, not even into one that shares its memory with another variable.
before = s;
copy = s;
H = sparse([2 1; 1 2]); H0 = H; q = [-1; 1]; q0 = q + 0; z0 = [3; 3]; z00 = z0 + 0;
perp.solve_blcp(H, q, 0, Inf, 'z0', z0, 'method', 'pgs');
check(isequal(H, H0) && isequal(q, q0) && isequal(z0, z00), 'inputs of solve_blcp');
perp.solve_cone(copy.M, copy.A, copy.N, copy.D, copy.f, 'S', copy.S, 'B', copy.B, options{:});
check(isequal(copy, before), 'inputs of solve_cone');

check(perp.version() == 100, 'version');
check(ischar(perp.build_info()) && ~isempty(strfind(perp.build_info(), '0.1.0')), 'build_info');
