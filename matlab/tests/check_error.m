function message = check_error(identifier, call, what)
%CHECK_ERROR  Fails a test where a call does not raise the error that is expected.
%   message = check_error(identifier, call, what): call is a function handle.
try
    call();
catch raised
    check(strcmp(raised.identifier, identifier), '%s: %s in place of %s (%s)', what, ...
          raised.identifier, identifier, raised.message);
    message = raised.message;
    return
end
error('test:failed', '%s: no error in place of %s', what, identifier);
end
