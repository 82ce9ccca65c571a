% A brick with four contacts on a slope: one time step from rest, sticking and sliding.
%
% Axes: x down the slope, y across it, z away from it. The velocity v of the brick is that of its
% centre (1:3) and its angular velocity (4:6). A corner at r from the centre moves at v + w x r: the
% z component is a row of N, the x and y components are two rows of D.
g = 9.81; h = 0.01;                      % m/s^2, s
m = 2; a = 0.1; b = 0.05; c = 0.03;      % kg; half the edges, m
x = [a a -a -a]; y = [b -b b -b];        % corners, all at z = -c

M = diag(m * [1, 1, 1, [b^2 + c^2, a^2 + c^2, a^2 + b^2] / 3]);
N = zeros(4, 6); D = zeros(8, 6);        % may be sparse as well
for i = 1:4
    N(i, :) = [0 0 1 y(i) -x(i) 0];
    D(2 * i - 1, :) = [1 0 0 0 -c -y(i)];
    D(2 * i, :) = [0 1 0 c 0 x(i)];
end

coulomb = h * g * (sin(pi / 6) - 0.2 * cos(pi / 6));  % speed on 30 degrees by Coulomb's law, m/s
slope = [20 30 30]; mu = [0.6 0.2 0.2]; gap = [0 0 h * 0.2 * coulomb];
for k = 1:3
    force = m * g * [sind(slope(k)); 0; -cosd(slope(k)); 0; 0; 0];
    [z, u, info, v] = perp.solve_cone(M, [], N, D, h * force, 'mu', mu(k), ...
                                      'b_N', gap(k) / h, 'tolerance', 1e-10);
    fprintf('slope %2.0f, mu %.1f, gap %.4f mm: %s; %.5f m/s down, %.5f m/s away\n', ...
            slope(k), mu(k), 1e3 * gap(k), info.outcome, abs(v(1)), abs(v(3)));
end
