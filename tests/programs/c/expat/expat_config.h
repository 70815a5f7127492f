// What Expat's configure would write here.
#define BYTEORDER 1234
#define HAVE_UNISTD_H 1
#define PACKAGE_STRING "expat"
#define XML_CONTEXT_BYTES 1024
#define XML_DTD 1
#define XML_NS 1
#define XML_POOR_ENTROPY 1
