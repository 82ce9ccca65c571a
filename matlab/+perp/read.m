function problem = read(path, varargin)
%READ  A problem from an instance file or folder.
%   problem = perp.read(path, name, value, ...) reads files of FCLIB's and perp's layout (HDF5) and
%   folders of Matrix Market files, and returns a perp.Problem.
%
%   Option:
%     law  'auto' (default): what the file says. 'cone', 'coulomb' and 'box' insist; 'box' takes
%          friction coefficients where the file has no bounds, and ties them
%
%   Errors: perp:fileNotFound, perp:fileFormat (of no known format, damaged, no data for the law),
%   perp:badValue, perp:badType, perp:badOption, perp:badCall. Indices in messages about files count
%   from 0, as in the files.
%
%   Example:
%       problem = perp.read('wall.h5', 'law', 'coulomb');
%       z = perp.Solver(problem).solve();
%
%   See also perp.write, perp.read_solution, perp.Problem.
perp.internal.at_least(nargin, 1, 'perp.read(path, name, value, ...)');
[options, rest] = perp.internal.take(varargin, {'law'});
perp.internal.nothing_else(rest);
problem = perp.Problem(perp_mex('problem_read', perp.internal.text(path, 'path'), ...
                                perp.internal.pick(options, 'law', 'auto')));
end
