// What PicoSAT's configure.sh would write here.
#define PICOSAT_CC "clang"
#define PICOSAT_CFLAGS ""
#define PICOSAT_VERSION "965"
