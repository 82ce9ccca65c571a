function kilobytes = resident_kilobytes()
%RESIDENT_KILOBYTES  Memory of this process that is in use (Linux).
file = fopen('/proc/self/statm');
pages = fscanf(file, '%d');
fclose(file);
kilobytes = 4 * pages(2);
end
