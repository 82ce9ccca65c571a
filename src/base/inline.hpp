// Loops over blocks are fast only when what they call is part of them. Builds that look for errors
// need no such speed, and compile in a fraction of the time without it.
#pragma once

#ifdef NDEBUG
#define PERP_INLINE [[gnu::always_inline]] inline
#else
#define PERP_INLINE inline
#endif
