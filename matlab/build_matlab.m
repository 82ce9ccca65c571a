function build_matlab(prefix, varargin)
%BUILD_MATLAB  Compiles perp_mex for MATLAB (R2018a or later), with every library inside of it.
%   This script is written for MATLAB and NOT RUN by the project's CI, which has Octave only (there,
%   CMake builds the MEX file). The same sources, and the same private link against static
%   libraries, were tried with Octave on Linux. Please report what MATLAB says.
%
%   build_matlab(prefix) makes perp_mex.<mexext> in this folder; then addpath(this folder). prefix
%   is where a STATIC perp is installed, made with a compiler that MATLAB supports and without
%   OpenMP, whose runtime would be a second one beside MATLAB's:
%
%       cmake -S . -B build/static -DBUILD_SHARED_LIBS=OFF -DPERP_WITH_OPENMP=OFF ...
%             -DPERP_BUILD_TESTS=OFF -DPERP_BUILD_BENCH=OFF -DPERP_WITH_OCTAVE=OFF
%       cmake --build build/static
%       cmake --install build/static --prefix <prefix>
%
%   build_matlab(prefix, libraries) with a cell of the libraries that perp needs, as the linker
%   wants them. Default: those of Debian, static.
%
%   Why static: MATLAB brings its own BLAS and LAPACK with 64-bit integers, and its own SuiteSparse,
%   HDF5 and libstdc++, under the same names as the ones that perp was built with. Were perp's
%   taken from shared libraries, its calls could end in MATLAB's, which read integers of another
%   size. So BLAS (32-bit integers), LAPACK, SuiteSparse and HDF5 are linked into the MEX file, all
%   their symbols hidden (mex.map, --exclude-libs) and bound within it (-Bsymbolic). For the same
%   reason never add a library of MATLAB (-lmwblas, -lmwlapack) here.
%
%   Of Linux. On macOS and Windows the linker has other options, and two-level or per-DLL names make
%   most of them needless: give libraries, and see the list below for what to replace.
%
%   Example:
%       build_matlab('/opt/perp'); addpath(pwd); perp.build_info()
%
%   See also mex, perp.version.
here = fileparts(mfilename('fullpath'));
if nargin < 1 || ~exist(fullfile(prefix, 'include', 'perp', 'perp.h'), 'file')
    error('perp:badCall', 'build_matlab needs the folder where perp is installed');
end
if ~isunix || ismac
    error('perp:unsupported', 'this script links as on Linux; see its help');
end
found = dir(fullfile(prefix, '**', 'libperp.a'));
if isempty(found)
    error('perp:fileNotFound', ...
          'there is no libperp.a below %s: build with BUILD_SHARED_LIBS=OFF', prefix);
end
if nargin > 1
    libraries = varargin{1};
else
    libraries = {'-l:liblapacke.a', '-l:libumfpack.a', '-l:libcholmod.a', '-l:libccolamd.a', ...
                 '-l:libcamd.a', '-l:libcolamd.a', '-l:libldl.a', '-l:libamd.a', ...
                 '-l:libsuitesparseconfig.a', '-l:libmetis.a', '-l:libopenblas.a', ...
                 '-l:libtmglib.a', '-l:libhdf5_serial.a', '-l:libsz.a', '-l:libaec.a', ...
                 '-lcrypto', '-lcurl', '-lz', '-ldl', '-lm', '-lpthread', '-lgfortran', '-lgomp'};
end
sources = dir(fullfile(here, '*.cpp'));
sources = fullfile(here, {sources.name});
linker = ['LDFLAGS=$LDFLAGS -Wl,-Bsymbolic -Wl,--exclude-libs,ALL -Wl,--version-script=', ...
          fullfile(here, 'mex.map')];
mex('-R2018a', 'CXXFLAGS=$CXXFLAGS -std=c++17 -O2', linker, ...
    ['-I', fullfile(prefix, 'include')], '-output', fullfile(here, 'perp_mex'), sources{:}, ...
    fullfile(found(1).folder, found(1).name), libraries{:});
end
