function overhead(program, side, repeats)
%OVERHEAD  What the MEX file costs beside the same calls from C. A measurement, not a test.
%   overhead(program) with the path of the program overhead (target perp_mex_overhead) solves a
%   problem of 10^5 contacts by perp.solve_cone and by the program, and prints the seconds of the
%   fastest of some repetitions, twice each, for several tolerances. Answers are compared bit by
%   bit. Both should give memory back as seldom as the other: set MALLOC_TRIM_THRESHOLD_ and
%   MALLOC_MMAP_THRESHOLD_ to 4294967296, else the C program pays for new pages in every repetition.
%   overhead(program, side, repeats): a lattice of side x side masses, about 2 side^2 contacts.
%   Defaults: 224, 4.
%
%   Example:
%       octave-cli -W -H -q -f --path matlab --path matlab/tests --path build/release/matlab ...
%           --eval "overhead('build/release/bin/overhead')"
if nargin < 2
    side = 224;
end
if nargin < 3
    repeats = 4;
end
[M, N, D, f] = lattice(side);
mu = 0.3 * ones(size(N, 1), 1);
folder = tempname();
mkdir(folder);
cleanup = onCleanup(@() confirm_and_remove(folder));
in = fullfile(folder, 'in'); out = fullfile(folder, 'out');
write_numbers(in, M, N, D, f, mu);
fprintf('%d contacts, %d velocities, %d entries in N and D\n', size(N, 1), size(M, 1), ...
        nnz(N) + nnz(D));
fprintf('tolerance  iterations  C, s      MEX, s    overhead  C without solve, s\n');
for tolerance = {'3e-1', '1e-1', '1e-2'}
    fastest = Inf; in_c = [Inf Inf 0];
    for k = 1:2  % in turn, so that both meet the same machine
        [status, text] = system(sprintf('"%s" "%s" "%s" %d %s', program, in, out, repeats, ...
                                        tolerance{1}));
        if status ~= 0
            error('overhead:failed', '%s: %s', program, text);
        end
        times = sscanf(text, '%f')';
        if times(1) < in_c(1)
            in_c = times;
        end
        for i = 1:repeats
            begin = tic();
            [z, u, info, v] = perp.solve_cone(M, [], N, D, f, 'mu', mu, 'tolerance', tolerance{1});
            fastest = min(fastest, toc(begin));
        end
    end
    fprintf('%-9s  %10d  %8.4f  %8.4f  %7.1f%%  %8.4f\n', tolerance{1}, info.iterations, ...
            in_c(1), fastest, 100 * (fastest / in_c(1) - 1), in_c(1) - in_c(2));
    file = fopen(out);
    of_c = fread(file, Inf, 'double');
    fclose(file);
    if ~isequal(of_c, [z; v])
        error('overhead:failed', 'the answers differ');
    end
end
end

function [M, N, D, f] = lattice(side)
% Masses in a vertical lattice, each in contact with those below and beside it; the lowest with the
% ground. Loads differ from mass to mass.
n = side^2;
number = reshape(1:n, side, side);  % rows: from the ground upwards
upper = number(:); lower = [zeros(1, side); number(1:end - 1, :)]; lower = lower(:);
right = number(:, 2:end); right = right(:);
left = number(:, 1:end - 1); left = left(:);
N = [rows_of(upper, lower, 3, n); rows_of(right, left, 1, n)];
first = [rows_of(upper, lower, 1, n); rows_of(right, left, 3, n)];
second = [rows_of(upper, lower, 2, n); rows_of(right, left, 2, n)];
D = reshape_pairs(first, second);
mass = 1 + mod((1:n)', 7) / 7;
M = spdiags(kron(mass, ones(3, 1)), 0, 3 * n, 3 * n);
load = [sin((1:n)); cos(3 * (1:n)); -9.81 * ones(1, n)];
f = 0.01 * kron(mass, ones(3, 1)) .* load(:);
end

function J = rows_of(body, other, axis, n)
% One row for each pair: the velocity of body relative to other (0: the ground) along an axis.
k = (1:numel(body))';
pairs = other > 0;
J = sparse([k; k(pairs)], [3 * (body - 1) + axis; 3 * (other(pairs) - 1) + axis], ...
           [ones(numel(k), 1); -ones(sum(pairs), 1)], numel(k), 3 * n);
end

function D = reshape_pairs(first, second)
% Rows in turn: the first of one, the first of the other, the second of one, ...
[i, j, x] = find(first);
[k, l, y] = find(second);
D = sparse([2 * i - 1; 2 * k], [j; l], [x; y], 2 * size(first, 1), size(first, 2));
end

function write_numbers(path, M, N, D, f, mu)
file = fopen(path, 'w');
for matrix = {M, N, D}
    [i, j, x] = find(matrix{1});
    fwrite(file, [size(matrix{1}), numel(x)], 'int64');
    fwrite(file, i - 1, 'int64');
    fwrite(file, j - 1, 'int64');
    fwrite(file, x, 'double');
end
fwrite(file, f, 'double');
fwrite(file, mu, 'double');
fclose(file);
end
