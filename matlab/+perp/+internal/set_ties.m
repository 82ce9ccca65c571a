function set_ties(problem, ties)
%SET_TIES  Ties bounds of a problem by a table of three columns.
%   perp.internal.set_ties(problem, ties): problem is a number of perp_mex, ties k x 3 or [].
if ~isa(ties, 'double') || ~isreal(ties)
    error('perp:badType', 'ties are not a real matrix of class double');
end
if isempty(ties)
    ties = zeros(0, 3);
end
if ndims(ties) ~= 2 || size(ties, 2) ~= 3 %#ok<ISMAT>
    error('perp:badSize', 'ties have %d columns, expected row, normal and coefficient', ...
          size(ties, 2));
end
ties = full(ties);
perp_mex('problem_set_ties', problem, ties(:, 1), ties(:, 2), ties(:, 3));
end
