// What cmark's CMake would write here.
#define CMARK_VERSION 7682
#define CMARK_VERSION_STRING "0.30.2"
