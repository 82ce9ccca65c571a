function z = read_solution(problem, path)
%READ_SOLUTION  The solution that an instance file or folder holds.
%   z = perp.read_solution(problem, path): impulses of the rows of the perp.Problem.
%
%   Errors: perp:fileNotFound, perp:fileFormat (no solution, or of another problem), perp:badHandle,
%   perp:badType, perp:badCall.
%
%   See also perp.write_solution, perp.read, perp.residual.
perp.internal.at_least(nargin, 2, 'perp.read_solution(problem, path)');
number = perp.internal.id(problem, 'perp.Problem', 'problem');
z = perp_mex('solution_read', number, perp.internal.text(path, 'path'));
end
