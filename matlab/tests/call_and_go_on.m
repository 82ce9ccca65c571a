function go_on = call_and_go_on(call)
%CALL_AND_GO_ON  A progress function that calls another function, and goes on.
call();
go_on = true;
end
