function confirm_and_remove(folder)
%CONFIRM_AND_REMOVE  Removes a folder of a test with all that is in it, without asking.
if exist('confirm_recursive_rmdir', 'builtin')
    confirm_recursive_rmdir(false, 'local');
end
rmdir(folder, 's');
end
