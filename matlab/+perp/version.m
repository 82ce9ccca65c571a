function result = version()
%VERSION  Version of perp as a number, major * 10000 + minor * 100 + patch.
%   result = perp.version()
%
%   See also perp.build_info.
result = perp_mex('version');
end
