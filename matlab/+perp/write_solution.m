function write_solution(problem, path, z, solver)
%WRITE_SOLUTION  A solution to an instance file or folder.
%   perp.write_solution(problem, path, z) adds it to the file of a problem, or makes a file of its
%   own; an older solution is replaced. Its eta is kept with it. A path that ends with a slash, or
%   is a folder: the text file z.mtx in it.
%   perp.write_solution(problem, path, z, solver) keeps the name of the solver as well.
%
%   Errors: perp:fileWrite, perp:badHandle, perp:badSize, perp:badValue (z.mtx
%   and a z that is not finite), perp:badType, perp:badCall.
%
%   See also perp.read_solution, perp.write.
perp.internal.at_least(nargin, 3, 'perp.write_solution(problem, path, z, solver)');
if nargin < 4
    solver = '';
end
number = perp.internal.id(problem, 'perp.Problem', 'problem');
perp_mex('solution_write', number, perp.internal.text(path, 'path'), z, ...
         perp.internal.text(solver, 'solver'));
end
