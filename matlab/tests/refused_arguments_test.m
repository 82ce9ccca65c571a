% An error in every argument position of every function gives its identifier, and never a crash.
s = small_step();
folder = tempname();
mkdir(folder);
cleanup = onCleanup(@() confirm_and_remove(folder));
file = fullfile(folder, 'a.h5');
total = 0;

% Functions and their matrices and vectors.
total = total + refused('solve_blcp', @perp.solve_blcp, ...
    {[2 1; 1 2], [-1; 1], [0; 0], [5; 5]}, {'matrix', 'vector', 'bound', 'bound'});
total = total + refused('solve_blcp sparse', @perp.solve_blcp, ...
    {sparse([2 1; 1 2]), [-1; 1], [0; 0], [5; 5]}, {'matrix', 'vector', 'bound', 'bound'});
total = total + refused('Problem.blcp', @(varargin) perp.Problem.blcp(varargin{:}), ...
    {[2 1; 1 2], [-1; 1], [0; 0], [5; 5]}, {'matrix', 'vector', 'bound', 'bound'});
N1 = full(s.N);
cone = @(M, A, N, D, f, S, B) perp.solve_cone(M, A, N, D, f, 'S', S, 'B', B, 'mu', 0.3, ...
                                              'lo_B', -1, 'hi_B', 1);
for as = {@full, @sparse}
    as = as{1};
    matrices = {as(s.M), as(s.A), as(s.N), as(s.D), s.f, as(s.S), as(s.B)};
    total = total + refused('solve_cone, M', cone, matrices, {'matrix', '', '', '', '', '', ''});
    total = total + refused('solve_cone, f', cone, matrices, {'', '', '', '', 'vector', '', ''});
    % A row more is legal here: other sizes are tried below.
    for k = [2 7]
        for wrong = {'text', single(1), {1}, 1i * matrices{k}, as(matrices{k}) == 1}
            given = matrices; given{k} = wrong{1};
            check_error('perp:badType', @() cone(given{:}), sprintf('matrix %d', k));
            total = total + 1;
        end
        given = matrices; given{k} = matrices{k}(:, 2:end);
        check_error('perp:badSize', @() cone(given{:}), sprintf('columns of matrix %d', k));
        given = matrices; given{k}(1) = NaN;
        check_error('perp:badValue', @() cone(given{:}), sprintf('NaN in matrix %d', k));
        total = total + 2;
    end
    total = total + refused('solve_cone, N', cone, matrices, {'', '', 'matrix', '', '', '', ''});
    total = total + refused('solve_cone, D', cone, matrices, {'', '', '', 'matrix', '', '', ''});
    total = total + refused('solve_cone, S', cone, matrices, {'', '', '', '', '', 'matrix', ''});
    total = total + refused('System', @(M, N, D, S) perp.System(M, s.A, N, D, 'S', S), ...
        {as(s.M), as(s.N), as(s.D), as(s.S)}, {'matrix', 'matrix', 'matrix', 'matrix'});
    total = total + refused('delassus', @perp.solve_delassus, {as(eye(6)), ones(6, 1), [1; 1]}, ...
        {'matrix', 'vector', 'spread'});
    total = total + refused('Problem.delassus', ...
        @(varargin) perp.Problem.delassus(varargin{:}), {as(eye(6)), ones(6, 1), [1; 1]}, ...
        {'matrix', 'vector', 'spread'});
end

% Vectors of a step, by every way to give them.
system = perp.System(s.M, s.A, s.N, s.D, 'S', s.S, 'B', s.B);
plain = perp.System(s.M, s.A, s.N, s.D, 'B', s.B);
lengths = struct('u', 1, 'b_N', 2, 'b_T', 4, 'b_S', 6, 'compliance_A', 1, 'compliance_N', 2, ...
                 'compliance_T', 4, 'compliance_S', 6, 'mu', 2, 'rho', 2, 'sigma', 2, 'b_B', 1, ...
                 'compliance_B', 1);
fixed = {'mu', 0.3, 'lo_B', -1, 'hi_B', 1};
problem = perp.Problem.assemble(system, s.f, fixed{:});
friction = perp.Friction();
for name = fieldnames(lengths)'
    others = fixed;
    if strcmp(name{1}, 'mu')
        others = fixed(3:end);
    end
    good = 0.25 * ones(lengths.(name{1}), 1);
    ways = {@(x) perp.solve_cone(s.M, s.A, s.N, s.D, s.f, 'S', s.S, 'B', s.B, others{:}, ...
                                 name{1}, x), ...
            @(x) perp.Problem.assemble(system, s.f, others{:}, name{1}, x), ...
            @(x) problem.set_rows(s.f, others{:}, name{1}, x), ...
            @(x) friction.step(system, 0.01, s.f, others{:}, name{1}, x)};
    for k = 1:numel(ways)
        total = total + refused(sprintf('%s, way %d', name{1}, k), ways{k}, {good}, {'spread'});
        if ~isempty(strfind(name{1}, 'compliance')) || any(strcmp(name{1}, {'mu', 'rho', 'sigma'}))
            message = check_error('perp:badValue', @() ways{k}(-good), [name{1}, ' < 0']);
            check(~isempty(strfind(message, [name{1}, '(1) = -0.25'])), 'message: %s', message);
            total = total + 1;
        end
    end
end
box = @(lo_T, hi_T, lo_B, hi_B) perp.Problem.assemble(plain, s.f, 'law', 'box', 'lo_T', lo_T, ...
    'hi_T', hi_T, 'lo_B', lo_B, 'hi_B', hi_B);
total = total + refused('box', box, {-ones(4, 1), ones(4, 1), -1, 1}, ...
                        {'bound', 'bound', 'bound', 'bound'});
check_error('perp:badBounds', @() box(1, -1, -1, 1), 'lo > hi');
check_error('perp:badBounds', @() box(Inf, Inf, -1, 1), 'lo = Inf');
check_error('perp:badBounds', @() box(-1, 1, -Inf, -Inf), 'hi = -Inf');
total = total + refused('f', @(f) problem.set_rows(f, fixed{:}), {s.f}, {'vector'});
check_error('perp:nullArgument', @() perp.Problem.assemble(system, s.f, 'lo_B', -1, 'hi_B', 1), ...
            'mu is missing');
check_error('perp:nullArgument', @() perp.Problem.assemble(system, [], fixed{:}), 'f is missing');
check_error('perp:unsupported', @() perp.Problem.assemble(system, s.f, fixed{:}, 'law', 'box'), ...
            'angular rows under the box law');

% Words, numbers and names.
law = @(x) perp.solve_cone(s.M, [], s.N, s.D, s.f, 'mu', 0.3, 'law', x);
total = total + refused('law', law, {'coulomb'}, {'word'});
total = total + refused('law', @(x) perp.Problem.assemble(system, s.f, fixed{:}, 'law', x), ...
                        {'coulomb'}, {'word'});
total = total + refused('law', @(x) problem.set_law(x), {'coulomb'}, {'word'});
total = total + refused('law', @(x) perp.solve_delassus(eye(3), [1 2 3], 1, 'law', x), ...
                        {'coulomb'}, {'word'});
total = total + refused('mass_storage', @(x) perp.System(s.M, [], [], [], 'mass_storage', x), ...
                        {'lower'}, {'word'});
total = total + refused('symmetry_tolerance', ...
    @(x) perp.System(s.M, [], [], [], 'symmetry_tolerance', x), {1e-9}, {'number'});
rows_of_contact = @(t, a) perp.solve_delassus(eye(6), ones(6, 1), 1, 'tangential_rows', t, ...
                                              'angular_rows', a);
total = total + refused('rows of a contact', rows_of_contact, {2, 3}, {'whole', 'whole'});
form = @(rho, sigma, V, R, s) perp.solve_delassus(eye(12), ones(12, 1), 1, 'angular_rows', 3, ...
    'rho', rho, 'sigma', sigma, 'V', V, 'R', R, 's', s);
total = total + refused('Delassus options', form, {[1; 1], [1; 1], ones(12, 2), eye(2), [1; 1]}, ...
                        {'spread', 'spread', '', 'matrix', 'spread'});
for wrong = {'text', single(1), {1}, 1i, true}
    check_error('perp:badType', @() form(1, 1, wrong{1}, [], []), 'V');
end
check_error('perp:badSize', @() form(1, 1, ones(11, 2), [], []), 'V');
check_error('perp:badValue', @() form(1, 1, NaN(12, 2), [], []), 'V');
total = total + 7;

% Updates.
total = total + refused('System.update', @(name, x) system.update(name, x), {'M', s.M}, ...
                        {'word', 'matrix'});
total = total + refused('System.update', @(x) system.update('D', x), {s.D}, {'update'});
bounded = perp.Problem.blcp(sparse([2 0; 1 2]), [-1; 1], 0, Inf);
total = total + refused('Problem.update', @(x) bounded.update(x), {sparse([3 0; 2 3])}, {'update'});
check_error('perp:badPattern', @() bounded.update([3 1; 2 3]), 'an entry more');
check_error('perp:badPattern', @() system.update('N', sparse(ones(2, 12))), 'an entry more');
check_error('perp:unsupported', @() problem.update(1), 'update of an assembled problem');
vectors = @(q, lo, hi) bounded.set_vectors('q', q, 'lo', lo, 'hi', hi);
total = total + refused('set_vectors', vectors, {[-1; 1], [0; 0], [5; 5]}, ...
                        {'vector', 'bound', 'bound'});
check_error('perp:badBounds', @() vectors([], 2, 1), 'lo > hi');
check_error('perp:unsupported', @() problem.set_vectors('q', ones(14, 1)), 'set_vectors');
check_error('perp:unsupported', @() bounded.set_rows([]), 'set_rows');

% Ties: three columns, whole row numbers in range, no row twice.
free = perp.Problem.blcp(eye(3), [-1; -1; -1], [0 -Inf -Inf], [Inf Inf Inf]);
free.set_ties([2 1 0.5; 3 1 0.5]);
ties = {'text', 'perp:badType'; {1}, 'perp:badType'; single([2 1 1]), 'perp:badType'; ...
        [2 1 1i], 'perp:badType'; [2 1], 'perp:badSize'; ones(1, 3, 2), 'perp:badSize'; ...
        [2.5 1 1], 'perp:badValue'; [NaN 1 1], 'perp:badValue'; [0 1 1], 'perp:badIndex'; ...
        [4 1 1], 'perp:badIndex'; [2 0 1], 'perp:badIndex'; [2 4 1], 'perp:badIndex'; ...
        [2 1 -1], 'perp:badValue'; [2 1 NaN], 'perp:badValue'; [2 1 Inf], 'perp:badValue'; ...
        [2 2 1], 'perp:badValue'; [2 1 1; 2 1 1], 'perp:badValue'; ...
        [2 3 1; 3 1 1], 'perp:badValue'; [1 2 1], 'perp:badBounds'};
for k = 1:size(ties, 1)
    check_error(ties{k, 2}, @() free.set_ties(ties{k, 1}), sprintf('ties %d', k));
    check_error(ties{k, 2}, @() perp.solve_blcp(eye(3), [-1; -1; -1], [0 -Inf -Inf], Inf, ...
                                                'ties', ties{k, 1}), sprintf('ties %d', k));
end
message = check_error('perp:badValue', @() free.set_ties([2 1 1; 3 3 1]), 'ties');
check(~isempty(strfind(message, 'normal(2) = 3 ')), 'message: %s', message);

% Objects where others are needed.
solver = perp.Solver(bounded);
objects = {'Problem.assemble', @(x) perp.Problem.assemble(x, s.f, fixed{:}), system; ...
           'Friction.step', @(x) friction.step(x, 0.01, s.f, fixed{:}), system; ...
           'Solver', @(x) perp.Solver(x), bounded; ...
           'residual', @(x) perp.residual(x, [0; 0]), bounded; ...
           'form_matrix', @(x) perp.form_matrix(x), bounded; ...
           'write', @(x) perp.write(x, file), bounded; ...
           'write_solution', @(x) perp.write_solution(x, file, [0; 0]), bounded; ...
           'read_solution', @(x) perp.read_solution(x, file), bounded};
for k = 1:size(objects, 1)
    total = total + refused(objects{k, 1}, objects{k, 2}, objects(k, 3), {'object'});
end
total = total + refused('residual', @(z) perp.residual(bounded, z), {[0; 0]}, {'measured'});
r = perp.residual(bounded, [0; NaN]);
check(~(r.eta < Inf), 'residual of NaN');
total = total + refused('velocity', @(z) bounded.velocity(z), {[0; 0]}, {'measured'});
function_of_two = @() deal_velocity(bounded);
check_error('perp:unsupported', function_of_two, 'v of a matrix form');

% Solvers.
for name = fieldnames(solver.settings())'
    wrong = wrong_values('settings', []);
    for k = 1:size(wrong, 1)
        value = wrong{k, 1};
        number = isnumeric(value) && isscalar(value) && isreal(value) && isa(value, 'double');
        if number && (any(strcmp(name{1}, {'seed', 'tolerance', 'time_limit', 'relaxation'})))
            continue  % legal there
        end
        check_error(wrong{k, 2}, @() solver.set(name{1}, value), name{1});
        check_error(wrong{k, 2}, @() perp.Solver(bounded, name{1}, value), name{1});
        check_error(wrong{k, 2}, @() perp.solve_blcp(1, 1, 0, 1, name{1}, value), name{1});
        check_error(wrong{k, 2}, @() friction.step(system, 0.01, s.f, fixed{:}, name{1}, value), ...
                    name{1});
        total = total + 4;
    end
end
for name = {'tolerance', 'time_limit', 'relaxation'}
    for value = {NaN, -1}
        check_error('perp:badSetting', @() solver.set(name{1}, value{1}), name{1});
    end
end
total = total + refused('progress', @(x) perp.Solver(bounded, 'progress', x), {@(p) true}, ...
                        {'function'});
total = total + refused('progress', @(x) solver.set('progress', x), {@(p) true}, {'function'});
solver.set('progress', []);
total = total + refused('progress', @(x) perp.solve_blcp(1, 1, 0, 1, 'progress', x), ...
                        {@(p) true}, {'function'});
for wrong = {'a', single([1; 1]), {1}, [1i; 1], true(2, 1), @sin}
    check_error('perp:badType', @() solver.solve(wrong{1}), 'z0');
    check_error('perp:badType', @() perp.solve_blcp(eye(2), [1; 1], 0, 1, 'z0', wrong{1}), 'z0');
end
for wrong = {1, [1; 1; 1], ones(2, 2)}
    check_error('perp:badSize', @() solver.solve(wrong{1}), 'z0');
end
check_error('perp:badValue', @() solver.solve([0; NaN]), 'z0');
check_error('perp:unsupported', @() solver.set_basic_set([0; 0]), 'basic set of auto');
solver.set('method', 'pivoting');
for wrong = {'a', single([1; 1]), {1}, [1i; 1], true(2, 1), @sin}
    check_error('perp:badType', @() solver.set_basic_set(wrong{1}), 'basic set');
end
check_error('perp:badSize', @() solver.set_basic_set(0), 'basic set');
check_error('perp:badSize', @() solver.set_basic_set([]), 'basic set');
for wrong = {[0; 0.5], [0; 3], [0; NaN], [0; 256], [0; 1e300]}
    check_error('perp:badValue', @() solver.set_basic_set(wrong{1}), 'basic set');
end
check_error('perp:unsupported', @() solver.certificate(), 'certificate of nothing');
check_error('perp:unsupported', @() perp.Solver(bounded).basic_set(), 'basic set of nothing');
check_error('perp:unsupported', @() perp.Solver(problem, 'method', 'lemke'), 'lemke for cones');

% Friction models and steps.
models = {'model', {'bristle', 'word'}; 'bounds', {'auto', 'word'}; 'axes', {'given', 'word'}; ...
          'facets', {4, 'whole'}; 'max_passes', {5, ''}; 'pass_tolerance', {0.1, 'number'}; ...
          'sticking_speed', {0.1, 'number'}; 'stiffness', {1e5, 'number'}; ...
          'recovery_speed', {1, 'number'}};
for k = 1:size(models, 1)
    total = total + refused(models{k, 1}, @(x) perp.Friction(models{k, 1}, x), ...
                            models{k, 2}(1), models{k, 2}(2));
end
check_error('perp:badSetting', @() perp.Friction('max_passes', 0), 'max_passes');
check_error('perp:badSetting', @() perp.Friction('modell', 'box'), 'unknown name');
total = total + refused('h and f', @(h, f) friction.step(system, h, f, fixed{:}), {0.01, s.f}, ...
                        {'number', 'vector'});
check_error('perp:badValue', @() friction.step(system, 0, s.f, fixed{:}), 'h = 0');
bristle = perp.Friction('model', 'bristle');
step = @(name, x) bristle.step(plain, 0.01, s.f, fixed{:}, 'velocity', zeros(12, 1), name, x);
contacts = {'sticking_speed', 'bound'; 'stiffness', ''; 'normal_estimate', 'spread'};
for k = 1:size(contacts, 1)
    total = total + refused(contacts{k, 1}, step, {contacts{k, 1}, [1; 1]}, {'', contacts{k, 2}});
    check_error('perp:badValue', @() step(contacts{k, 1}, [-1; 1]), contacts{k, 1});
end
polygon = perp.Friction('model', 'polygon');
total = total + refused('facet_angle', ...
    @(x) polygon.step(plain, 0.01, s.f, fixed{:}, 'facet_angle', x), {[1; 1]}, {'spread'});
total = total + refused('velocity', ...
    @(x) bristle.step(plain, 0.01, s.f, fixed{:}, 'velocity', x), {zeros(12, 1)}, {'vector'});
check_error('perp:nullArgument', @() bristle.step(plain, 0.01, s.f, fixed{:}), 'velocity');
for wrong = {'a', single([1 2]), {1, 2}, [1i 2], true(1, 2), @sin, int32([1 2])}
    check_error('perp:badType', @() step('id', wrong{1}), 'id');
end
check_error('perp:badSize', @() step('id', 1), 'id');
check_error('perp:badValue', @() step('id', [1 NaN]), 'id');
check_error('perp:badValue', @() step('id', [1 1.5]), 'id');
message = check_error('perp:badValue', @() step('id', [7 7]), 'id twice');
check(~isempty(strfind(message, 'id(2) = 7')) && ~isempty(strfind(message, 'contact 1')), ...
      'message: %s', message);
axes = repmat([1 0; 0 1; 0 0], 1, 2);
step('axes', axes);
for wrong = {'a', single(axes), {1}, 1i * axes, axes > 0, @sin, sparse(axes)}
    check_error('perp:badType', @() step('axes', wrong{1}), 'axes');
end
check_error('perp:badSize', @() step('axes', axes(:, 1:3)), 'axes');
check_error('perp:badSize', @() step('axes', axes'), 'axes');
check_error('perp:badValue', @() step('axes', 2 * axes), 'axes');
check_error('perp:badValue', @() step('axes', axes * NaN), 'axes');
state = bristle.state();
bristle.set_state(state);
states = {1, 'perp:badType'; 'a', 'perp:badType'; {1}, 'perp:badType'; struct(), 'perp:badType'; ...
          struct('id', 'a', 'record', zeros(8, 1)), 'perp:badType'; ...
          struct('id', 1, 'record', 'a'), 'perp:badType'; ...
          struct('id', 1, 'record', 1i * ones(8, 1)), 'perp:badType'; ...
          struct('id', 1, 'record', sparse(ones(8, 1))), 'perp:badType'; ...
          struct('id', 1, 'record', zeros(7, 1)), 'perp:badSize'; ...
          struct('id', [1 2], 'record', zeros(8, 1)), 'perp:badSize'; ...
          struct('id', [1 1], 'record', zeros(8, 2)), 'perp:badValue'; ...
          struct('id', NaN, 'record', zeros(8, 1)), 'perp:badValue'; ...
          struct('id', 1, 'record', NaN(8, 1)), 'perp:badValue'; ...
          struct('id', 1, 'record', -ones(8, 1)), 'perp:badValue'};
for k = 1:size(states, 1)
    check_error(states{k, 2}, @() bristle.set_state(states{k, 1}), sprintf('state %d', k));
end
check(isequal(bristle.state(), state), 'the state stays');

% Files.
perp.write(bounded, file);
perp.write_solution(bounded, file, [0; 0]);
total = total + refused('read', @(path, law) perp.read(path, 'law', law), {file, 'auto'}, ...
                        {'text', 'word'});
options = @(path, layout, title, source) perp.write(bounded, path, 'layout', layout, ...
                                                    'title', title, 'source', source);
total = total + refused('write', options, {file, 'perp', 'a title', 'a source'}, ...
                        {'text', 'word', 'text', 'text'});
total = total + refused('write_solution', @(path, z, name) perp.write_solution(bounded, path, z, ...
    name), {file, [0; 0], 'pgs'}, {'text', 'measured', 'text'});
total = total + refused('read_solution', @(path) perp.read_solution(bounded, path), {file}, ...
                        {'text'});
missing = fullfile(folder, 'missing', 'b.h5');
check_error('perp:fileNotFound', @() perp.read(missing), 'read');
check_error('perp:fileWrite', @() perp.write(bounded, missing), 'write');
check_error('perp:fileWrite', @() perp.write_solution(bounded, missing, [0; 0]), 'write_solution');
check_error('perp:fileNotFound', @() perp.read_solution(bounded, missing), 'read_solution');
check_error('perp:fileFormat', @() perp.read(file, 'law', 'cone'), 'cones of a bounded problem');
check_error('perp:fileFormat', @() perp.read([mfilename('fullpath'), '.m']), 'no instance');
check_error('perp:unsupported', @() perp.write(bounded, file, 'layout', 'fclib'), 'fclib');

% Too few arguments, options that are none, and calls past the functions.
few = {@() perp.solve_blcp(1, 1, 0), @() perp.solve_cone(1, 1, 1, 1), ...
       @() perp.solve_delassus(1, 1), ...
       @() perp.System(1, 1), @() perp.Problem.assemble(system), @() perp.Problem.blcp(1), ...
       @() perp.Problem.delassus(1), @() perp.Problem(3), @() perp.Solver(), ...
       @() friction.step(system, 1), @() friction.set_state(), @() perp.residual(bounded), ...
       @() perp.form_matrix(), @() perp.read(), @() perp.write(bounded), ...
       @() perp.read_solution(bounded), @() perp.write_solution(bounded, 'a'), ...
       @() system.update('M'), @() bounded.update(), @() bounded.set_ties(), ...
       @() bounded.set_law(), @() bounded.velocity(), @() bounded.supports(), ...
       @() bounded.set_rows(), @() solver.set_basic_set(), @() perp_mex(), ...
       @() perp_mex('nothing'), @() perp_mex('version', 1), @() perp_mex('destroy')};
for k = 1:numel(few)
    check_error('perp:badCall', few{k}, func2str(few{k}));
end
listed = {@(varargin) perp.solve_blcp(1, 1, 0, 1, varargin{:}), ...
          @(varargin) perp.solve_cone(1, [], [], [], 1, varargin{:}), ...
          @(varargin) perp.solve_delassus(1, 1, [], 'tangential_rows', 0, varargin{:}), ...
          @(varargin) perp.System(1, [], [], [], varargin{:}), ...
          @(varargin) perp.Problem.assemble(system, s.f, fixed{:}, varargin{:}), ...
          @(varargin) perp.Problem.blcp(1, 1, 0, 1, varargin{:}), ...
          @(varargin) perp.Problem.delassus(eye(3), [1 1 1], 1, varargin{:}), ...
          @(varargin) perp.Solver(bounded, varargin{:}), ...
          @(varargin) perp.Friction(varargin{:}), ...
          @(varargin) friction.step(system, 0.01, s.f, fixed{:}, varargin{:}), ...
          @(varargin) problem.set_rows(s.f, fixed{:}, varargin{:}), ...
          @(varargin) bounded.set_vectors(varargin{:}), @(varargin) solver.set(varargin{:}), ...
          @(varargin) perp.read(file, varargin{:}), ...
          @(varargin) perp.write(bounded, file, varargin{:})};
for k = 1:numel(listed)
    listed{k}();
    unknown = check_any({'perp:badOption', 'perp:badSetting'}, @() listed{k}('nothing', 1));
    check(~isempty(strfind(unknown, '"nothing"')), 'message: %s', unknown);
    check_error('perp:badOption', @() listed{k}('tolerance'), 'no value');
    check_error('perp:badOption', @() listed{k}(1, 2), 'a number as name');
    check_error('perp:badOption', @() listed{k}('', 2), 'no name');
    check_error('perp:badOption', @() listed{k}({'a'}, 2), 'a cell as name');
    check_error('perp:badOption', @() listed{k}('law', 1, 'law', 1), 'twice');
    total = total + 6;
end

% Messages have MATLAB's names and count from 1.
message = check_error('perp:badValue', @() perp.solve_blcp([1 2; 3 NaN], [1; 1], 0, 1), 'H');
check(~isempty(strfind(message, 'H(2, 2) = ')), 'message: %s', message);
message = check_error('perp:badValue', @() perp.solve_blcp(eye(2), [1; Inf], 0, 1), 'q');
check(~isempty(strfind(message, 'q(2) = ')), 'message: %s', message);
message = check_error('perp:badBounds', @() perp.solve_blcp(eye(2), [1; 1], [0; 2], 1), 'lo');
check(~isempty(strfind(message, 'lo(2) = 2 exceeds hi(2) = 1')), 'message: %s', message);
message = check_error('perp:notSymmetric', @() perp.System([1 0.5; 0 1], [], [], []), 'M');
check(~isempty(strfind(message, 'M(1, 2)')) || ~isempty(strfind(message, 'M(2, 1)')), ...
      'message: %s', message);
check(isempty(strfind(message, '0-based')) && isempty(strfind(message, 'M(0')), 'message: %s', ...
      message);
message = check_error('perp:notPositiveDefinite', @() perp.System(diag([1 -1]), [], [], []), 'M');
check(~isempty(strfind(message, 'M(2, 2) = -1')), 'message: %s', message);

% What is refused leaves nothing behind.
clear system plain problem bounded free solver friction bristle polygon objects listed few ways ...
      function_of_two options vectors box step form
check(total > 900, 'only %d calls', total);
printf('%d wrong values were refused\n', total);
