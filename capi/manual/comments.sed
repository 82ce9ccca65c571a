# The comments of perp.h as Doxygen reads them: before a declaration, or behind a member. What
# stands between rules of dashes is a heading, and no declaration's text.
1s|^/\* |/** @file perp.h\n * |
/^\/\* -\{5,\} \*\/$/{
n
d
}
s|int64_t struct_size;$|int64_t struct_size; /* sizeof the struct, as the caller knows it */|
s|^\( *\)/\* |\1/** |
s|^\(.*[^ ].*\)/\* |\1/**< |
