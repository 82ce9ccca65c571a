function names = delassus_names()
%DELASSUS_NAMES  Names of the options of a Delassus form.
%   names = perp.internal.delassus_names() is a cell of texts. See perp.solve_delassus.
names = {'tangential_rows', 'angular_rows', 'rho', 'sigma', 'V', 'R', 's', 'law'};
end
