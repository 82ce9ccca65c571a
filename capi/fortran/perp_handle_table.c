/* Which objects of the Fortran modules are alive, and how many variables share each.
 *
 * A Fortran variable may be copied bit by bit without a procedure being called (allocate with
 * source=, function results), and may then be finalized more often than it was created. Therefore
 * variables hold no pointers but a place in this table and a serial number that is never used
 * again: what is gone is not found, and nothing is destroyed twice. */
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

typedef struct {
    void* object;
    int64_t serial; /* 0: the place is free */
    int64_t shares; /* variables that hold it */
} place;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static place* table = NULL; /* NULL while nothing is alive */
static int64_t places = 0, last_serial = 0;
static int64_t alive = 0, first_free = 0; /* no place before first_free is free */

static place* living(int64_t index, int64_t serial) {
    if (index < 0 || index >= places || serial == 0 || table[index].serial != serial) return NULL;
    return &table[index];
}

static int64_t free_place(void) { /* -1: no memory */
    for (; first_free < places; ++first_free)
        if (table[first_free].serial == 0) return first_free;
    const int64_t more = places == 0 ? 16 : 2 * places;
    place* longer = realloc(table, (size_t)more * sizeof *longer);
    if (longer == NULL) return -1;
    table = longer;
    for (int64_t i = places; i < more; ++i) table[i] = (place){NULL, 0, 0};
    const int64_t index = places;
    places = more;
    return index;
}

/* Takes an object with one share. Returns its serial number, 0 without memory. */
int64_t perp_handle_keep(void* object, int64_t* index) {
    int64_t serial = 0;
    pthread_mutex_lock(&lock);
    const int64_t i = free_place();
    if (i >= 0) {
        serial = ++last_serial;
        table[i] = (place){object, serial, 1};
        ++alive;
        *index = i;
    }
    pthread_mutex_unlock(&lock);
    return serial;
}

/* The object, or NULL if it is gone. */
void* perp_handle_find(int64_t index, int64_t serial) {
    pthread_mutex_lock(&lock);
    const place* found = living(index, serial);
    void* object = found != NULL ? found->object : NULL;
    pthread_mutex_unlock(&lock);
    return object;
}

/* One share more, if it is alive. */
void perp_handle_share(int64_t index, int64_t serial) {
    pthread_mutex_lock(&lock);
    place* found = living(index, serial);
    if (found != NULL) ++found->shares;
    pthread_mutex_unlock(&lock);
}

/* One share less, or with `all` no more of them. Returns the object that the caller has to destroy,
 * or NULL: others still share it, or it is gone. */
void* perp_handle_release(int64_t index, int64_t serial, int32_t all) {
    void* object = NULL;
    pthread_mutex_lock(&lock);
    place* found = living(index, serial);
    if (found != NULL && (all || --found->shares <= 0)) {
        object = found->object;
        *found = (place){NULL, 0, 0};
        if (index < first_free) first_free = index;
        if (--alive == 0) {
            free(table);
            table = NULL;
            places = first_free = 0;
        }
    }
    pthread_mutex_unlock(&lock);
    return object;
}
