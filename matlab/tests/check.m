function check(condition, varargin)
%CHECK  Fails a test where a condition does not hold; what follows says what it is, as for sprintf.
if ~(islogical(condition) && isscalar(condition) && condition)
    if isempty(varargin)
        varargin = {'a condition does not hold'};
    end
    error('test:failed', varargin{:});
end
end
