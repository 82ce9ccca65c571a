/* A user's program: links perp and asks for its version. */
#include <perp/perp.h>
#include <stdio.h>

int main(void) {
    printf("perp %ld\n%s\n", (long)perp_version(), perp_build_info());
    return perp_version() > 0 ? 0 : 1;
}
