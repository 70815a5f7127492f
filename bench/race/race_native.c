// A guest on all processors without WebAssembly, or through wasm2c; race.sh compiles it with each.
//   race_native SECONDS INSTANCES PROCESSES RESULTS
// Processes, as guests keep what they compute in static memory. Each takes the next instance's
// number, over and over from 0 to INSTANCES, until SECONDS have passed and each was run once.
// Prints how many were run and in how many seconds; RESULTS gets the digests. A digest that changes
// is an error.
//   -DKERNEL=Sha512                             the guest's function
//   -DMODULE='"guest.h"' -DKERNEL=Z_guestZ_sha512   of wasm2c, whose module is called guest
#define _GNU_SOURCE
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#ifdef MODULE
#include MODULE
static Z_guest_instance_t module;
static void Begin(void) {
  wasm_rt_init();
  Z_guest_init_module();
  Z_guest_instantiate(&module);
}
static uint32_t Run(uint32_t instance) { return KERNEL(&module, instance); }
#else
uint32_t KERNEL(uint32_t instance);
static void Begin(void) {}
static uint32_t Run(uint32_t instance) { return KERNEL(instance); }
#endif

typedef struct {
  atomic_uint next, ran, different;
  _Atomic uint64_t digests[];  // 1 above its 32 bits: it is there
} Shared;

static double Now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static void Work(Shared* shared, uint32_t instances, double until) {
  Begin();
  while (1) {
    const uint32_t turn = atomic_fetch_add(&shared->next, 1), instance = turn % instances;
    if (turn >= instances && Now() >= until) return;
    const uint64_t digest = (uint64_t)1 << 32 | Run(instance);
    const uint64_t before = atomic_exchange(&shared->digests[instance], digest);
    if (before != 0 && before != digest) atomic_fetch_add(&shared->different, 1);
    atomic_fetch_add(&shared->ran, 1);
  }
}

static int Write(const Shared* shared, uint32_t instances, const char* path) {
  FILE* file = fopen(path, "wb");
  if (file == NULL) return 1;
  for (uint32_t i = 0; i < instances; ++i) {
    const uint32_t digest = (uint32_t)shared->digests[i];
    fwrite(&digest, 4, 1, file);
  }
  return fclose(file);
}

int main(int argc, char** argv) {
  const double seconds = argc == 5 ? atof(argv[1]) : 0;
  const int instances = argc == 5 ? atoi(argv[2]) : 0, processes = argc == 5 ? atoi(argv[3]) : 0;
  if (seconds <= 0 || instances < 1 || processes < 1) {
    fprintf(stderr, "usage: race_native SECONDS INSTANCES PROCESSES RESULTS\n");
    return 2;
  }
  Shared* shared = mmap(NULL, sizeof(Shared) + 8 * (size_t)instances, PROT_READ | PROT_WRITE,
                        MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (shared == MAP_FAILED) return 1;
  const double begin = Now();
  for (int i = 0; i < processes; ++i) {
    const pid_t child = fork();
    if (child < 0) return 1;
    if (child == 0) {
      Work(shared, (uint32_t)instances, begin + seconds);
      _exit(0);
    }
  }
  int failed = 0;
  for (int i = 0, status; i < processes; ++i) failed |= wait(&status) < 0 || status != 0;
  const double took = Now() - begin;
  if (failed || shared->different != 0) {
    fprintf(stderr, "race_native: %s\n", failed ? "a process failed" : "a digest changed");
    return 1;
  }
  printf("%u %.6f\n", shared->ran, took);
  return Write(shared, (uint32_t)instances, argv[4]);
}
