% Objects: who owns what, what happens to those that are gone, and no growth of memory.
check(perp_mex('held_count') == 0, 'nothing at first');
check(mislocked('perp_mex') == false, 'not locked at first');

% One object frees what it holds: cleared, overwritten, deleted, out of scope, the last of two.
problem = perp.Problem.blcp(1, -1, 0, 5);
check(perp_mex('held_count') == 1 && mislocked('perp_mex'), 'held and locked');
clear problem
check(perp_mex('held_count') == 0 && ~mislocked('perp_mex'), 'cleared and unlocked');
problem = perp.Problem.blcp(1, -1, 0, 5);
problem = 3;
check(perp_mex('held_count') == 0, 'overwritten');
problem = perp.Problem.blcp(1, -1, 0, 5);
same = problem;
clear problem
check(perp_mex('held_count') == 1, 'there is another copy');
check(isequal(perp.Solver(same).solve(), 1), 'the copy works');
delete(same);
check(perp_mex('held_count') == 0, 'deleted');
delete(same);
check_error('perp:badHandle', @() same.info(), 'use after delete');
check_error('perp:badHandle', @() perp.residual(same, 1), 'use after delete');
check_error('perp:badHandle', @() perp.Solver(same), 'use after delete');
clear same
in_function = @(k) perp.Problem.blcp(k, -1, 0, 5).info().rows;
in_function(1);
check(perp_mex('held_count') == 0, 'out of scope');

% All kinds, after delete, in every method.
s = small_step();
system = perp.System(s.M, s.A, s.N, s.D, 'S', s.S, 'B', s.B);
friction = perp.Friction();
problem = perp.Problem.blcp(1, -1, 0, 5);
solver = perp.Solver(problem);
delete(system); delete(friction); delete(problem); delete(solver);
calls = {@() system.update('M', s.M), @() perp.Problem.assemble(system, s.f), ...
         @() friction.state(), ...
         @() friction.set_state([]), @() problem.set_rows(1), @() problem.set_vectors('q', 1), ...
         @() problem.set_ties([]), @() problem.set_law('cone'), @() problem.update(1), ...
         @() problem.info(), @() problem.velocity(1), @() problem.supports('pgs'), ...
         @() perp.form_matrix(problem), @() perp.write(problem, 'nowhere.h5'), ...
         @() solver.solve(), @() solver.solve(1), @() solver.set('seed', 1), ...
         @() solver.settings(), @() solver.certificate(), @() solver.basic_set(), ...
         @() solver.set_basic_set(1)};
for k = 1:numel(calls)
    check_error('perp:badHandle', calls{k}, func2str(calls{k}));
end
friction = perp.Friction();
check_error('perp:badHandle', @() friction.step(system, 1, 1), 'step of a deleted system');
system = perp.System(1, [], [], []);
delete(friction);
check_error('perp:badHandle', @() friction.step(system, 1, 1), 'step of a deleted friction');
clear calls

% What was made of others outlives them, in any order.
system = perp.System(2, [], [], [], 'B', 1);
problem = perp.Problem.assemble(system, -4, 'lo_B', 0, 'hi_B', 1);
solver = perp.Solver(problem);
delete(system);
z = solver.solve();
delete(problem);
check(isequal(solver.solve(), z) && z == 1, 'a solver without problem and system');
delete(solver);

% Numbers that are none of ours, of another kind, and from before `clear all`.
problem = perp.Problem.blcp(1, -1, 0, 5);
old = problem.id;
for number = {uint64(7), uint64(0), 7, [], 'a', old + 1, [old old], {old}, double(old)}
    check_error('perp:badHandle', @() perp_mex('problem_info', number{1}), 'number');
end
check_error('perp:badHandle', @() perp_mex('system_sizes', old), 'kind');
check_error('perp:badHandle', @() perp_mex('solver_settings', old), 'kind');
check_error('perp:badHandle', @() perp_mex('friction_state', old), 'kind');
clear number
check_error('perp:badCall', @() perp.Problem(5), 'problems of one''s own');
perp_mex('destroy', uint64(7));
perp_mex('destroy', 'a');
clear functions
check(perp_mex('held_count') == 1, 'clear functions does not unload what is locked');
save_number = old;
setenv('PERP_TEST_NUMBER', sprintf('%lu', save_number));
clear all
check(perp_mex('held_count') == 0, 'clear all');
old = sscanf(getenv('PERP_TEST_NUMBER'), '%lu');
check_error('perp:badHandle', @() perp_mex('problem_info', uint64(old)), 'from before clear all');

% A thousand of each, made and freed, and a thousand refused calls: resident memory stays.
s = small_step();
fixed = {'mu', 0.3, 'lo_B', -1, 'hi_B', 1};
grown = zeros(1, 3);
for round = 1:3
    before = resident_kilobytes();
    for k = 1:1000
        system = perp.System(s.M, s.A, s.N, s.D, 'S', s.S, 'B', s.B);
        problem = perp.Problem.assemble(system, s.f, fixed{:});
        solver = perp.Solver(problem);
        friction = perp.Friction();
        solver.solve();
        try
            perp.Problem.assemble(system, s.f, 'mu', -1);
        catch raised
        end
    end
    clear system problem solver friction raised
    grown(round) = resident_kilobytes() - before;
end
check(perp_mex('held_count') == 0, 'all are freed');
printf('resident memory grew by %d, %d, %d kB in rounds of 1000 cycles\n', grown);
% The first round makes caches of the interpreter; 1 kB lost per cycle would be 1000.
check(grown(3) < 300, 'memory grows by %d kB', grown(3));
