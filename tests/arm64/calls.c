// System calls whose answers are the same in qemu and in a lane.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

enum { kPage = 4096, kMuch = 256 * kPage };

static char* Map(size_t bytes) {
  char* pages = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return pages == MAP_FAILED ? NULL : pages;
}

static void Mappings(void) {
  char* pages = Map(2 * kPage);
  memset(pages, 5, 2 * kPage);
  pages = mremap(pages, 2 * kPage, kMuch, MREMAP_MAYMOVE);
  printf("grown %d: %d %d\n", pages != MAP_FAILED, pages[2 * kPage - 1], pages[2 * kPage]);
  pages = mremap(pages, kMuch, kPage, 0);
  printf("shrunk %d: %d\n", pages != MAP_FAILED, pages[kPage - 1]);
  printf("unmapped %d\n", munmap(pages, kPage));
  printf("mapped anew, and zero: %d\n", Map(kMuch)[kMuch - 1]);
  printf("nothing mapped: %d\n", Map(0) == NULL && errno == EINVAL);
}

static void Heap(void) {
  unsigned sum = 0;
  for (int i = 1; i < 200; ++i) {
    char* bytes = malloc((size_t)i * 997);
    bytes = realloc(memset(bytes, i, (size_t)i * 997), (size_t)i * 1999);
    sum += (unsigned char)bytes[i * 997 - 1];
    free(bytes);
  }
  char* end = sbrk(kPage);
  printf("heap %u, %d, %d\n", sum, end[0], sbrk(0) == end + kPage);
}

static void Refused(const char* what, long result, int error) {
  const int was = errno;
  printf("%s: %ld, %d\n", what, result, was == error);
}

static void Files(void) {
  struct stat status;
  char byte, *const volatile elsewhere = (char*)8;
  const int nothing = open("/dev/null", O_RDWR);
  printf("null: %d", nothing >= 0);
  printf(", %zd written", write(nothing, "abc", 3));
  printf(", %zd read", read(nothing, &byte, 1));
  printf(", %d", fstat(nothing, &status) == 0 && S_ISCHR(status.st_mode));
  printf(", %d\n", close(nothing));
  Refused("no such file", open("/no/such/file", O_RDONLY), ENOENT);
  Refused("no such descriptor", read(99, &byte, 1), EBADF);
  Refused("bytes that are not ours", write(1, elsewhere, 5), EFAULT);
  printf("no bytes: %zd\n", write(1, elsewhere, 0));
}

static void Others(void) {
  struct utsname name;
  struct timespec first, second;
  unsigned long random[2] = {0, 0};
  printf("machine %s\n", uname(&name) == 0 ? name.machine : "");
  clock_gettime(CLOCK_MONOTONIC, &first);
  clock_gettime(CLOCK_MONOTONIC, &second);
  printf("time goes on: %d\n", second.tv_sec > first.tv_sec || second.tv_nsec >= first.tv_nsec);
  printf("random %zd, %d\n", getrandom(random, 16, 0), random[0] != random[1]);
  printf("terminal %d\n", isatty(1));
}

int main(int argc, char** argv) {
  for (int i = 1; i < argc; ++i) printf("argument %s\n", argv[i]);
  Mappings();
  Heap();
  Files();
  Others();
  return 0;
}
