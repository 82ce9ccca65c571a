function s = small_step()
%SMALL_STEP  Two masses on the ground, coupled by a joint: matrices and vectors of every kind.
%   s is a struct with M, A, N, D, S, B, f for perp.System; contacts have 2 sliding and 3 angular
%   rows.
n = 12;
s.M = sparse(diag([2 2 2 0.1 0.1 0.1, 3 3 3 0.2 0.2 0.2]));
s.A = sparse([1 1], [2 8], [1 -1], 1, n);
s.N = sparse([1 2], [3 9], 1, 2, n);
s.D = sparse([1 2 3 4], [1 2 7 8], 1, 4, n);
s.S = sparse(1:6, [6 4 5, 12 10 11], 1, 6, n);
s.B = sparse(1, 1, 1, 1, n);
s.f = 0.01 * [20; 5; -2 * 9.81; 0; 0; 0; 4; 0; -3 * 9.81; 0.01; 0.02; 0.03];
end
