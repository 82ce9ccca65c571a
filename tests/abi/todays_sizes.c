#include "todays_sizes.h"

#include "perp/perp.h"

struct_sizes todays_sizes(void) {
    const struct_sizes sizes = {sizeof(perp_settings), sizeof(perp_info),
                                sizeof(perp_problem_info)};
    return sizes;
}
