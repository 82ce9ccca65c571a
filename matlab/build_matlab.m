function build_matlab(prefix, libraries)
%BUILD_MATLAB  Compiles perp_mex for MATLAB (R2018a or later), with every library inside of it.
%   This script is written for MATLAB and NOT RUN by the project's CI, which has Octave only (there,
%   CMake builds the MEX file). What was tried, with Octave on Debian 12: the same sources and the
%   same linker options, with OpenBLAS, LAPACK and libperp.a inside and the rest shared.
%
%   build_matlab(prefix, libraries) makes perp_mex.<mexext> in this folder, for addpath.
%
%   prefix     where a STATIC perp is installed, made with a compiler that MATLAB supports and
%              without OpenMP, whose runtime would be a second one beside MATLAB's:
%
%                  cmake -S . -B build/static -DBUILD_SHARED_LIBS=OFF -DPERP_WITH_OPENMP=OFF ...
%                        -DPERP_BUILD_TESTS=OFF -DPERP_BUILD_BENCH=OFF -DPERP_WITH_OCTAVE=OFF
%                  cmake --build build/static
%                  cmake --install build/static --prefix <prefix>
%
%   libraries  what perp needs, a cell of options of the linker in its order: LAPACKE, UMFPACK (with
%              CHOLMOD and its orderings; or KLU and BTF), LDL, AMD, SuiteSparse_config, BLAS and
%              LAPACK with 32-bit integers, HDF5, and what those need.
%
%   Why static: MATLAB brings its own BLAS and LAPACK with 64-bit integers, and its own SuiteSparse
%   and HDF5, under the same names. Calls into shared libraries could end there, and read integers
%   of another size. So the libraries are linked into the MEX file, their symbols hidden
%   (--exclude-libs, and the version script that mex adds itself; mex.map is Octave's) and bound
%   within it (-Bsymbolic). For the same reason never add a library of
%   MATLAB (-lmwblas, -lmwlapack). The archives must be position independent (-fPIC): those of
%   OpenBLAS and LAPACKE in Debian 12 are, those of SuiteSparse and HDF5 are not and have to be
%   built.
%
%   On macOS and Windows the linker has other options: this script stops there.
%
%   Example:
%       build_matlab('/opt/perp', {'-L/opt/pic/lib', '-l:liblapacke.a', '-l:libumfpack.a', ...
%           '-l:libcholmod.a', '-l:libccolamd.a', '-l:libcamd.a', '-l:libcolamd.a', ...
%           '-l:libldl.a', '-l:libamd.a', '-l:libsuitesparseconfig.a', '-l:libopenblas.a', ...
%           '-l:libhdf5.a', '-lz', '-ldl', '-lgfortran', '-lpthread', '-lm'})
%       addpath(pwd); perp.build_info()
%
%   See also mex, perp.version.
here = fileparts(mfilename('fullpath'));
if nargin < 2 || ~iscellstr(libraries)
    error('perp:badCall', 'call it as build_matlab(prefix, libraries); see its help');
end
if ~exist(fullfile(prefix, 'include', 'perp', 'perp.h'), 'file')
    error('perp:fileNotFound', 'there is no include/perp/perp.h below %s', prefix);
end
if ~isunix || ismac
    error('perp:unsupported', 'this script links as on Linux; see its help');
end
found = dir(fullfile(prefix, '**', 'libperp.a'));
if isempty(found)
    error('perp:fileNotFound', ...
          'there is no libperp.a below %s: build with BUILD_SHARED_LIBS=OFF', prefix);
end
sources = dir(fullfile(here, '*.cpp'));
sources = fullfile(here, {sources.name});
mex('-R2018a', 'CXXFLAGS=$CXXFLAGS -std=c++17', ...
    'LDFLAGS=$LDFLAGS -Wl,-Bsymbolic -Wl,--exclude-libs,ALL', ...
    ['-I', fullfile(prefix, 'include')], '-outdir', here, '-output', 'perp_mex', sources{:}, ...
    fullfile(found(1).folder, found(1).name), libraries{:});
end
