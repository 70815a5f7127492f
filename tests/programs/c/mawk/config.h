// What mawk's configure would write here; it asks for floating point traps, of which there are
// none.
#define DECL_ENVIRON 1
#define FPE_TRAPS_ON 0
#define HAVE_ERRNO_H 1
#define HAVE_FCNTL_H 1
#define HAVE_MKTIME 1
#define HAVE_STRFTIME 1
#define HAVE_UNISTD_H 1
#define MAWK_RAND_MAX RAND_MAX
#define NAME_RANDOM "srand/rand"
#define NOINFO_SIGFPE 1
#define SIZE_T_STDDEF_H 1
#define SYSTEM_NAME "wasi"
#define mawk_rand rand
#define mawk_srand srand
#define GCC_NORETURN
#define GCC_UNUSED
#define OPT_TRACE 0
