% Solvers that are used again: guesses, basic sets, new vectors and new values.
n = 200;
H = toeplitz([2.1 -1 zeros(1, n - 2)]);
q = -cos((1:n)');
problem = perp.Problem.blcp(sparse(H), q, 0, Inf);
cold = perp.Solver(problem, 'method', 'pgs', 'tolerance', 1e-8);
warm = perp.Solver(problem, 'method', 'pgs', 'tolerance', 1e-8, 'warm_start', true);
[z, ~, first] = cold.solve();
[~, ~, again] = cold.solve();
check(again.iterations == first.iterations && first.iterations > 0, 'cold twice');
[~, ~, info] = warm.solve();
check(info.iterations == first.iterations, 'the first solve has no guess');
[~, ~, info] = warm.solve();
check(info.iterations == 0, 'the second starts from the answer');
problem.set_vectors('q', q + 1e-6);
[~, ~, info] = warm.solve();
[~, ~, info_cold] = cold.solve();
check(info.iterations < info_cold.iterations, 'a small change, warm: %d, cold: %d', ...
      info.iterations, info_cold.iterations);
[~, ~, info] = cold.solve(z);
check(info.iterations < info_cold.iterations, 'a guess that is given');
check(cold.settings().warm_start == 0, 'is for one solve');

% The same answers as from new problems, to the bit.
pattern = sparse([2 1; 1 2]);
problem = perp.Problem.blcp(pattern, [-1; 1], 0, Inf);
solver = perp.Solver(problem);
problem.update(sparse([3 1; 1 2]));
check(isequal(solver.solve(), perp.solve_blcp([3 1; 1 2], [-1; 1], 0, Inf)), 'update');
problem.update([3 0; 0 2]);  % full, and zeros in place of entries
check(isequal(solver.solve(), perp.solve_blcp([3 0; 0 2], [-1; 1], 0, Inf)), 'update with zeros');
problem.update(sparse([3 0; 0 4]));  % sparse: entries that are gone
check(isequal(full(perp.form_matrix(problem)), [3 0; 0 4]), 'update without entries');
problem.set_vectors('q', [-1; -8], 'hi', 1.5);
check(isequal(solver.solve(), perp.solve_blcp([3 0; 0 4], [-1; -8], 0, 1.5)), 'new vectors');
problem.set_vectors('lo', [1; 0]);
check(isequal(solver.solve(), perp.solve_blcp([3 0; 0 4], [-1; -8], [1; 0], 1.5)), 'only lo');
full_one = perp.Problem.blcp([2 0; 0 2], [-1; 1], 0, Inf);
full_one.update(sparse([2 1; 1 2]));  % a full matrix has all places
check(isequal(full(perp.form_matrix(full_one)), [2 1; 1 2]), 'update of a full matrix');

% Basic sets: from the last solve, and into a new solver.
pivots = perp.Solver(perp.Problem.blcp(H, q, 0, Inf), 'method', 'pivoting');
z = pivots.solve();
set = pivots.basic_set();
check(isequal(size(set), [n 1]) && all(ismember(set, [-1 0 1 2])), 'basic set');
check(all(z(set == -1) == 0) && all(z(set == 0) >= 0), 'basic set and z');
other = perp.Solver(perp.Problem.blcp(H, q, 0, Inf), 'method', 'pivoting');
other.set_basic_set(set);
[again, ~, info] = other.solve();
check_close(again, z, 1e-12, 'from a basic set');
check(info.block_steps + info.single_pivots == 0, 'no pivots');

% Certificates.
none = perp.Solver(perp.Problem.blcp([1 0; 0 0], [0; 1], [], []));
[~, ~, info] = none.solve();
check(strcmp(info.outcome, 'no solution'), 'no solution');
d = none.certificate();
check([0 1] * d < 0 && norm([1 0; 0 0] * d) < 1e-12, 'certificate');

% Assembled problems: new vectors keep the law, new matrices need a new problem.
s = small_step();
fixed = {'mu', 0.3, 'rho', 0.01, 'sigma', 0.01, 'lo_B', -0.01, 'hi_B', 0.01};
system = perp.System(s.M, s.A, s.N, s.D, 'S', s.S, 'B', s.B);
problem = perp.Problem.assemble(system, s.f, fixed{:}, 'law', 'coulomb');
solver = perp.Solver(problem, 'tolerance', 1e-8);
solver.solve();
problem.set_rows(2 * s.f, fixed{:});
check(strcmp(problem.info().law, 'coulomb'), 'the law stays');
z = perp.solve_cone(s.M, s.A, s.N, s.D, 2 * s.f, 'S', s.S, 'B', s.B, fixed{:}, 'law', 'coulomb', ...
                    'tolerance', 1e-8);
check_close(solver.solve(), z, 1e-9, 'new vectors');
other = perp.System(2 * s.M, s.A, s.N, s.D, 'S', s.S, 'B', s.B);
problem.set_rows(3 * s.f, fixed{:}, 'system', other);
z = perp.solve_cone(2 * s.M, s.A, s.N, s.D, 3 * s.f, 'S', s.S, 'B', s.B, fixed{:}, ...
                    'law', 'coulomb', 'tolerance', 1e-8);
check_close(solver.solve(), z, 1e-7, 'new matrices');
check_error('perp:badSize', ...
            @() problem.set_rows(1, 'system', perp.System(1, [], 1, [])), 'velocities');
check_error('perp:badHandle', @() problem.set_rows(s.f, fixed{:}, 'system', 3), 'system');
problem.set_rows(2 * s.f, fixed{:}, 'system', system);
problem.set_law('cone');
cone = perp.solve_cone(s.M, s.A, s.N, s.D, 2 * s.f, 'S', s.S, 'B', s.B, fixed{:}, ...
                       'tolerance', 1e-8);
check_close(solver.solve(), cone, 1e-7, 'the other law');
changed = s;
changed.M = 2 * s.M; changed.A = 3 * s.A; changed.N = s.N * 0.5; changed.D = s.D * 1.5;
changed.S = s.S * 2; changed.B = -s.B;
for name = 'MANDSB'
    system.update(name, changed.(name));
end
problem = perp.Problem.assemble(system, s.f, fixed{:});
[z, u] = perp.Solver(problem).solve();
[z2, u2] = perp.solve_cone(changed.M, changed.A, changed.N, changed.D, s.f, 'S', changed.S, ...
                           'B', changed.B, fixed{:});
check(isequal(z, z2) && isequal(u, u2), 'a system updated equals a new one, to the bit');

% One triangle of a mass matrix stays one.
M = [2 0.5; 0.5 1];
for storage = {'lower', 'upper'}
    half = perp.System(M - (strcmp(storage{1}, 'lower') * triu(M, 1) + ...
                            strcmp(storage{1}, 'upper') * tril(M, -1)), [], [1 0], [], ...
                       'mass_storage', storage{1});
    if strcmp(storage{1}, 'lower')
        half.update('M', tril(2 * M));
    else
        half.update('M', triu(2 * M));
    end
    problem = perp.Problem.assemble(half, [-1; 0]);
    check_close(full(perp.form_matrix(problem)), [1 0] * ((2 * M) \ [1; 0]), 1e-14, storage{1});
    check_error('perp:badPattern', @() half.update('M', M), 'the other triangle');
end
