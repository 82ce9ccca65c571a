/* The interface that check.sh --selftest changes, one line at a time. */
#include <stdint.h>

typedef enum perp_status { PERP_OK = 0, PERP_BAD = 1 } perp_status;
enum { PERP_A = 1, PERP_B = 2 };
typedef struct perp_handle perp_handle;
typedef struct perp_settings {
    int64_t struct_size;
    int64_t method;
    int64_t seed;
    double tolerance;
} perp_settings;

int32_t perp_init(perp_settings* settings, int64_t size);
int32_t perp_use(perp_handle* handle, const perp_settings* settings, double x);
