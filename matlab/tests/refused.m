function count = refused(name, call, good, kinds)
%REFUSED  Every argument of a call in turn takes wrong values, and every one must be refused.
%   count = refused(name, call, good, kinds): call(good{:}) is right, kinds names the kind of each
%   argument (see wrong_values; '': not tried). An argument that is an option is a name in good,
%   followed by its value. count: calls that were refused.
call(good{:});
count = 0;
for k = 1:numel(good)
    if isempty(kinds{k})
        continue
    end
    wrong = wrong_values(kinds{k}, good{k});
    for i = 1:size(wrong, 1)
        given = good;
        given{k} = wrong{i, 1};
        what = sprintf('%s, argument %d, %s %d', name, k, kinds{k}, i);
        try
            call(given{:});
        catch raised
            check(any(strcmp(raised.identifier, wrong{i, 2})), '%s: %s (%s)', what, ...
                  raised.identifier, raised.message);
            count = count + 1;
            continue
        end
        error('test:failed', '%s is accepted', what);
    end
end
end
