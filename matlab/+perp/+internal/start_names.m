function names = start_names()
%START_NAMES  Names of the options of a solve that are not settings.
%   names = perp.internal.start_names() is a cell of texts.
names = {'z0', 'basic_set', 'progress'};
end
