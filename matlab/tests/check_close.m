function check_close(found, expected, tolerance, what)
%CHECK_CLOSE  Fails a test where two arrays differ in size, or somewhere by more than tolerance.
check(isequal(size(found), size(expected)), '%s: %s in place of %s', what, mat2str(size(found)), ...
      mat2str(size(expected)));
difference = max([0; abs(full(found(:)) - full(expected(:)))]);
check(difference <= tolerance, '%s differs by %g', what, difference);
end
