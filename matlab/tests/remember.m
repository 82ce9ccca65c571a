function go_on = remember(progress)
%REMEMBER  A progress function that keeps what it is told.
global seen
seen = [seen, progress];
go_on = true;
end
