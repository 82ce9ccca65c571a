function result = build_info()
%BUILD_INFO  Version, compiler, flags, linked parts and their licences; text of several lines.
%   result = perp.build_info()
%
%   See also perp.version.
result = perp_mex('build_info');
end
