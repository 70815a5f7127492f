// What cmark's CMake would write here.
#define CMARK_EXPORT
#define CMARK_NO_EXPORT
