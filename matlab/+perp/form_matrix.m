function W = form_matrix(problem)
%FORM_MATRIX  The matrix W (or H) of a problem, u = W z + r.
%   W = perp.form_matrix(problem) is sparse, rows of z x rows of z. Solvers do not need it; of a
%   system it may be much larger than the Jacobians.
%
%   Errors: perp:badHandle, perp:noMemory, perp:badCall.
%
%   See also perp.Problem, perp.residual.
perp.internal.at_least(nargin, 1, 'perp.form_matrix(problem)');
W = perp_mex('problem_form_matrix', perp.internal.id(problem, 'perp.Problem', 'problem'));
end
