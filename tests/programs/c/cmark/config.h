// What cmark's CMake would write here.
#include <stdbool.h>
#define CMARK_ATTRIBUTE(list) __attribute__(list)
#define CMARK_INLINE inline
