function wrong = wrong_values(kind, good)
%WRONG_VALUES  Values that an argument must refuse, and the identifiers of the errors.
%   wrong = wrong_values(kind, good) is a cell {value, identifiers; ...}, made of a value that is
%   right. identifiers are one text or a cell of texts.
%   Kinds: matrix, update (a matrix whose pattern is known), vector, measured (a vector that need not
%   be finite), spread (a vector for which one number may stand), bound (the same, that may be
%   infinite), number, whole, text, word, object, settings, function.
types = {'a text', 'perp:badType'; {good}, 'perp:badType'; single(1), 'perp:badType'; ...
         int32(1), 'perp:badType'; struct('a', 1), 'perp:badType'; @sin, 'perp:badType'};
switch kind
    case 'matrix'
        first = good; first(1, 1) = NaN;
        last = full(good); last(end) = Inf;
        wrong = [types; {1i * ones(size(good)), 'perp:badType'; sparse(good) * 1i, 'perp:badType'; ...
                 true(size(good)), 'perp:badType'; sparse(true(size(good))), 'perp:badType'; ...
                 ones([size(good), 2]), 'perp:badSize'; good(:, 1:end - 1), 'perp:badSize'; ...
                 [good; zeros(1, size(good, 2))], 'perp:badSize'; first, 'perp:badValue'; ...
                 last, 'perp:badValue'; sparse(last), 'perp:badValue'}];
    case 'update'
        wrong = wrong_values('matrix', good);
        for k = find(strcmp(wrong(:, 2), 'perp:badValue'))'
            wrong{k, 2} = {'perp:badValue', 'perp:badPattern'};
        end
    case 'measured'
        wrong = wrong_values('vector', good);
        wrong = wrong(~strcmp(wrong(:, 2), 'perp:badValue'), :);
    case {'vector', 'spread', 'bound'}
        bad = good; bad(end) = NaN;
        wrong = [types; {1i * ones(size(good)), 'perp:badType'; true(size(good)), 'perp:badType'; ...
                 ones(numel(good) + 1, 1), 'perp:badSize'; ones(numel(good) + 5, 1), ...
                 'perp:badSize'; ones(2, 2, 2), 'perp:badSize'; ones(max(2, numel(good)), 2), ...
                 'perp:badSize'; bad, 'perp:badValue'; sparse(bad), 'perp:badValue'}];
        if strcmp(kind, 'vector')
            wrong = [wrong; {ones(numel(good) - 1, 1), {'perp:badSize', 'perp:nullArgument'}}];
        else
            wrong = [wrong; {NaN, 'perp:badValue'}];
        end
        if ~strcmp(kind, 'bound')
            infinite = good; infinite(1) = Inf;
            wrong = [wrong; {infinite, 'perp:badValue'}];
        end
    case 'number'
        wrong = [types; {1i, 'perp:badType'; [1 2], 'perp:badSize'; NaN, ...
                 {'perp:badValue', 'perp:badSetting'}; -1, {'perp:badValue', 'perp:badSetting'}}];
    case 'whole'
        wrong = [types; {1i, 'perp:badType'; [1 2], 'perp:badSize'; ...
                 NaN, 'perp:badValue'; 1.5, 'perp:badValue'; 1e300, 'perp:badValue'; ...
                 -1, {'perp:badSize', 'perp:badSetting'}; 99999, ...
                 {'perp:badSize', 'perp:badSetting'}}];
    case 'text'
        wrong = {1, 'perp:badType'; {'a'}, 'perp:badType'; [], 'perp:badType'; ...
                 ['ab'; 'cd'], 'perp:badType'; struct(), 'perp:badType'; true, 'perp:badType'; ...
                 @sin, 'perp:badType'};
    case 'word'
        wrong = [wrong_values('text', good); ...
                 {'no such word', {'perp:badValue', 'perp:badSetting'}; ...
                 '', {'perp:badValue', 'perp:badSetting'}}];
    case 'object'
        gone = perp.Problem.blcp(1, 1, 0, 1);
        delete(gone);
        other = perp.Friction();
        wrong = {1, 'perp:badHandle'; uint64(1), 'perp:badHandle'; [], 'perp:badHandle'; ...
                 'a text', 'perp:badHandle'; {good}, 'perp:badHandle'; struct('id', uint64(1)), ...
                 'perp:badHandle'; @sin, 'perp:badHandle'; gone, 'perp:badHandle'; ...
                 other, 'perp:badHandle'};
    case 'settings'
        wrong = {NaN, 'perp:badSetting'; 'a text', 'perp:badSetting'; [], 'perp:badSetting'; ...
                 [1 2], 'perp:badSetting'; 1i, 'perp:badSetting'; {1}, 'perp:badSetting'; ...
                 struct(), 'perp:badSetting'; @sin, 'perp:badSetting'; single(1), ...
                 'perp:badSetting'; -5, 'perp:badSetting'; 0.123456, 'perp:badSetting'};
    case 'function'
        wrong = {1, 'perp:badType'; 'sin', 'perp:badType'; {@sin}, 'perp:badType'; ...
                 struct(), 'perp:badType'; true, 'perp:badType'};
    otherwise
        error('test:failed', 'there is no kind %s', kind);
end
end
