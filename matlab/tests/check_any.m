function message = check_any(identifiers, call)
%CHECK_ANY  Fails a test where a call does not raise one of the errors that are expected.
try
    call();
catch raised
    check(any(strcmp(raised.identifier, identifiers)), '%s in place of %s (%s)', ...
          raised.identifier, strjoin(identifiers, ' or '), raised.message);
    message = raised.message;
    return
end
error('test:failed', 'no error in place of %s', strjoin(identifiers, ' or '));
end
