function result = residual(problem, z)
%RESIDUAL  Is an answer right?
%   result = perp.residual(problem, z) measures the impulses z of a perp.Problem, whoever found
%   them. result is a struct:
%     eta                   0: exact. Energy norm of the natural map over that of the velocities
%                           without impulses; the same number for every solver, without unit
%     eta_bilateral, eta_normal, eta_friction, eta_box   its parts: squares add up
%     worst_row             the row of z with the largest share (of a contact, its normal row);
%                           0: none
%     eta_coulomb           distance from the exact Coulomb law, of cones
%     penetration_velocity  largest max(0, -u_N), m/s
%     cone_violation        largest violation of the cones by z, N s
%     complementarity       largest |z . u| of a contact or row, J
%     bilateral_velocity    largest |u_A|, m/s
%
%   z need not be finite; eta is then not, either.
%
%   Errors: perp:badHandle, perp:badSize, perp:badType, perp:badCall.
%
%   Example:
%       problem = perp.Problem.blcp([2 1; 1 2], [-1; 1], 0, Inf);
%       perp.residual(problem, [0.5; 0])
%
%   See also perp.Problem, perp.solve_blcp, perp.solve_cone.
perp.internal.at_least(nargin, 2, 'perp.residual(problem, z)');
number = perp.internal.id(problem, 'perp.Problem', 'problem');
result = perp_mex('problem_residual', number, z);
end
