% Progress functions: called while perp solves, cancel, and fail without harm.
H = toeplitz([2 -1 zeros(1, 98)]);
q = -ones(100, 1);
slow = {'method', 'pgs', 'tolerance', 1e-10, 'max_iterations', 5000, 'check_interval', 5};
global seen
seen = [];
[~, ~, info] = perp.solve_blcp(H, q, 0, Inf, slow{:}, 'progress', @remember);
check(numel(seen) > 3, 'is called');
check(isequal(sort(fieldnames(seen)), sort({'iteration'; 'products'; 'eta'; 'best_eta'; ...
                                            'seconds'})), 'fields');
check(all(diff([seen.iteration]) > 0) && all([seen.eta] >= [seen.best_eta]), 'values');

% Cancelled: the best z until then comes back.
[z, u, info] = perp.solve_blcp(H, q, 0, Inf, slow{:}, 'progress', @(p) p.iteration < 50);
check(strcmp(info.outcome, 'cancelled') && info.outcome_number == 6, 'outcome %s', info.outcome);
check(info.iterations >= 50 && info.iterations <= 60, 'iterations');
check(any(z > 0) && norm(u - (H * z + q)) < 1e-9, 'z so far');
[~, ~, info] = perp.solve_blcp(H, q, 0, Inf, slow{:}, 'progress', @(p) 0);
check(strcmp(info.outcome, 'cancelled'), 'a number is an answer');

% An error in it is raised after the solve; the solver goes on working.
held = perp_mex('held_count');
check_error('test:inside', @() perp.solve_blcp(H, q, 0, Inf, slow{:}, 'progress', ...
    @(p) error('test:inside', 'from inside %d', p.iteration)), 'error inside');
check(perp_mex('held_count') == held, 'nothing leaks');
for wrong = {'a', [], [true true], {true}, 1i}
    check_error('perp:badType', @() perp.solve_blcp(H, q, 0, Inf, slow{:}, 'progress', ...
                                                    @(p) wrong{1}), 'answer of no use');
end
check(perp_mex('held_count') == held, 'nothing leaks');
problem = perp.Problem.blcp(H, q, 0, Inf);
solver = perp.Solver(problem, slow{:}, 'progress', @(p) error('test:inside', 'again'));
check_error('test:inside', @() solver.solve(), 'error inside a solver');
check_error('test:inside', @() solver.solve(), 'and again');
solver.set('progress', @(p) p.iteration < 20);
[~, ~, info] = solver.solve();
check(strcmp(info.outcome, 'cancelled'), 'another one');
solver.set('progress', []);
[z, ~, info] = solver.solve();
check(~strcmp(info.outcome, 'cancelled'), 'none');

% It may call perp itself, of other objects and of its own.
inner = @(p) isequal(perp.solve_blcp(1, -1, 0, 5), 1) && solver.settings().warm_start == 0;
[~, ~, info] = perp.solve_blcp(H, q, 0, Inf, slow{:}, 'progress', inner);
check(~strcmp(info.outcome, 'cancelled'), 'perp inside perp');
% What is being solved is not changed under way; the error is that of the progress function.
changes = {@() solver.set('tolerance', 1), @() solver.solve(), @() problem.set_vectors('q', q), ...
           @() problem.update(H), @() problem.set_ties([]), @() solver.set_basic_set(q)};
for k = 1:numel(changes)
    solver.set('progress', @(p) call_and_go_on(changes{k}));
    check_error('perp:badCall', @() solver.solve(), func2str(changes{k}));
end
% Asking is fine, and another solver of the same problem.
solver.set('progress', @(p) strcmp(problem.info().law, 'box') && ...
                            isequal(perp.Solver(problem).solve() >= 0, q < 0));
[again, ~, info] = solver.solve();
check(isequal(again, z), 'another solver inside');
% Deleted under way, they live on until the solve ends.
solver.set('progress', @(p) call_and_go_on(@() delete(solver)) && ...
                            call_and_go_on(@() delete(problem)));
[again, ~, info] = solver.solve();
check(isequal(again, z), 'deleted while it solves');
check_error('perp:badHandle', @() solver.solve(), 'and gone then');
check(perp_mex('held_count') == 0, 'nothing is left');
check(~mislocked('perp_mex'), 'unlocked');
