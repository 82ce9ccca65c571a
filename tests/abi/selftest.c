/* The library that check.sh --selftest compiles. */
#include "perp/perp.h"

struct perp_handle {
    int inside;
};

int32_t perp_init(perp_settings* settings, int64_t size) { return settings && size ? PERP_OK : 1; }
int32_t perp_use(perp_handle* handle, const perp_settings* settings, double x) {
    return handle && settings && x > 0;
}
