function write(problem, path, varargin)
%WRITE  A problem to an instance file or folder.
%   perp.write(problem, path, name, value, ...) keeps a perp.Problem so that perp.read gets the same
%   one back. An existing file is replaced.
%
%   Options:
%     layout  'auto' (default): 'perp', and 'fclib' for Delassus forms; 'matrix_market': a folder
%             of text files, for problems of bounds. path becomes the folder
%     title, source  texts that are kept in the file. None
%
%   Errors: perp:fileWrite, perp:unsupported (the layout cannot hold the problem), perp:badHandle,
%   perp:badValue, perp:badType, perp:badOption, perp:badCall.
%
%   Example:
%       problem = perp.Problem.blcp([2 1; 1 2], [-1; 1], 0, Inf);
%       perp.write(problem, 'small.h5', 'title', 'two rows')
%
%   See also perp.read, perp.write_solution, perp.Problem.
perp.internal.at_least(nargin, 2, 'perp.write(problem, path, name, value, ...)');
number = perp.internal.id(problem, 'perp.Problem', 'problem');
[options, rest] = perp.internal.take(varargin, {'layout', 'title', 'source'});
perp.internal.nothing_else(rest);
perp_mex('problem_write', number, perp.internal.text(path, 'path'), ...
         perp.internal.pick(options, 'layout', 'auto'), ...
         perp.internal.pick(options, 'title', ''), ...
         perp.internal.pick(options, 'source', ''));
end
