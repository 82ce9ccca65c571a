function v = deal_velocity(problem)
%DEAL_VELOCITY  The second result of velocity, which needs a system.
[~, v] = problem.velocity([0; 0]);
end
