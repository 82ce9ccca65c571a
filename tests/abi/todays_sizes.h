/* Sizes of structs in today's perp.h, for a program that was compiled with an older one. */
#ifndef PERP_TESTS_TODAYS_SIZES_H
#define PERP_TESTS_TODAYS_SIZES_H

#include <stddef.h>

typedef struct {
    size_t settings, info, problem_info;
} struct_sizes;

struct_sizes todays_sizes(void);

#endif
