/* Tells Octave that this MEX file has interleaved complex numbers. `mkoctfile --mex -R2018a` adds
 * the same; without it Octave hands over arrays of the other kind, and aborts when they are read.
 */
extern const int __mx_has_interleaved_complex__;
const int __mx_has_interleaved_complex__ = 1;
