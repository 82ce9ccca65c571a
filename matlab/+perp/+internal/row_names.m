function names = row_names()
%ROW_NAMES  Names of the vectors of a step, beside f.
%   names = perp.internal.row_names() is a cell of texts. See perp.solve_cone for what they are.
names = {'u', 'b_N', 'b_T', 'b_S', 'compliance_A', 'compliance_N', 'compliance_T', ...
         'compliance_S', 'mu', 'rho', 'sigma', 'lo_T', 'hi_T', 'b_B', 'compliance_B', 'lo_B', ...
         'hi_B'};
end
