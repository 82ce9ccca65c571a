function rows = rows_of(f, options)
%ROWS_OF  The vectors of a step as perp_mex takes them.
%   rows = perp.internal.rows_of(f, options) has f and those of options that are vectors of a step.
rows = struct('f', {f});
for name = perp.internal.row_names()
    if isfield(options, name{1})
        rows.(name{1}) = options.(name{1});
    end
end
end
