% Problems and solutions to files and back: the same to the bit.
folder = tempname();
mkdir(folder);
cleanup = onCleanup(@() confirm_and_remove(folder));
file = @(name) fullfile(folder, name);

s = small_step();
system = perp.System(s.M, s.A, s.N, s.D, 'S', s.S, 'B', s.B);
fixed = {'mu', 0.3, 'rho', 0.01, 'sigma', 0.02, 'lo_B', -1, 'hi_B', 1, 'compliance_N', [0; 0.1]};
plain = perp.System(s.M, s.A, s.N, s.D, 'B', s.B);
box = {'law', 'box', 'lo_T', -0.1, 'hi_T', 0.2, 'lo_B', -1, 'hi_B', 1};
tied = {'law', 'box', 'mu', 0.3, 'lo_B', -1, 'hi_B', 1};
problems = {perp.Problem.assemble(system, s.f, fixed{:}), 'perp'; ...
            perp.Problem.assemble(system, s.f, fixed{:}, 'law', 'coulomb'), 'perp'; ...
            perp.Problem.assemble(plain, s.f, box{:}), 'perp'; ...
            perp.Problem.assemble(plain, s.f, tied{:}), 'perp'; ...
            perp.Problem.assemble(plain, s.f, box{:}), 'matrix_market'; ...
            perp.Problem.blcp(sparse([2 1; 1 2]), [-1; 1], [0; -Inf], [Inf; 5]), 'perp'; ...
            perp.Problem.blcp(sparse([2 1; 1 2]), [-1; 1], [0; -Inf], [Inf; 5]), ...
            'matrix_market'; ...
            perp.Problem.blcp(eye(3), [-1; -1; -3], [0 0 -Inf], Inf, 'ties', [3 1 0.5]), 'perp'; ...
            perp.Problem.delassus(2 * eye(6), [-1; 0.1; 0; -2; 5; 5], [0.3; 0.4]), 'fclib'; ...
            perp.Problem.delassus(2 * eye(6), [-1; 0.1; 0; -2; 5; 5], [0.3; 0.4]), 'auto'};
for k = 1:size(problems, 1)
    [problem, layout] = problems{k, :};
    what = sprintf('problem %d, %s', k, layout);
    path = file(sprintf('p%d', k));
    perp.write(problem, path, 'layout', layout, 'title', 'a title', 'source', 'files_test');
    back = perp.read(path);
    W = perp.form_matrix(problem);
    check(isequal(perp.form_matrix(back), W), '%s: W', what);
    zero = zeros(problem.info().rows, 1);
    check(isequal(back.velocity(zero), problem.velocity(zero)), '%s: u', what);
    if ~strcmp(layout, 'matrix_market')  % which forms W, and knows bounds alone
        check(isequal(back.info(), problem.info()), '%s: info', what);
    end
    [z, ~, info] = perp.Solver(problem, 'tolerance', 1e-9).solve();
    check(strcmp(info.outcome, 'solved'), '%s: %s', what, info.outcome);
    r = perp.residual(back, z);
    check(r.eta <= 1e-8, '%s: eta %g', what, r.eta);

    % Solutions: in the file of the problem, replaced, and in a file of their own.
    perp.write_solution(problem, path, zero + 7);
    perp.write_solution(problem, path, z, info.method);
    check_close(perp.read_solution(back, path), z, 1e-15, [what, ': solution']);
end
own = file('solution.h5');
perp.write_solution(problem, own, z);
check_close(perp.read_solution(problem, own), z, 1e-15, 'a file of its own');
perp.write_solution(perp.Problem.blcp(1, -1, 0, 5), [file('text'), '/'], 1);
check(exist(file(fullfile('text', 'z.mtx')), 'file') == 2, 'z.mtx');

% What is asked of a file: laws.
cones = file('p1');
for name = {'cone', 'coulomb'}
    back = perp.read(cones, 'law', name{1});
    check(strcmp(back.info().law, name{1}), 'law %s', name{1});
end
back = perp.read(file('p2'));
check(strcmp(back.info().law, 'coulomb'), 'the file knows the law');
back = perp.read(file('p4'), 'law', 'box');
check(back.info().tied == 4, 'tied bounds');
check_error('perp:fileFormat', @() perp.read(cones, 'law', 'box'), 'box law with angular rows');
check_error('perp:fileFormat', @() perp.read_solution(problems{6, 1}, file('p1')), ...
            'of another problem');
check_error('perp:unsupported', @() perp.write(problems{1, 1}, file('x'), 'layout', ...
                                               'matrix_market'), 'cones in text files');
check_error('perp:fileWrite', @() perp.write(problems{6, 1}, folder, 'layout', 'matrix_market'), ...
            'a folder with something else');

% A file that is damaged, and one that is none.
text = fileread(file('p6'));
damaged = file('damaged.h5');
id = fopen(damaged, 'w'); fwrite(id, text(1:floor(end / 2))); fclose(id);
check_error('perp:fileFormat', @() perp.read(damaged), 'half a file');
id = fopen(damaged, 'w'); fclose(id);
check_error('perp:fileFormat', @() perp.read(damaged), 'an empty file');
