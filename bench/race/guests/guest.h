// What the guests of the race share. Each exports one function from an instance's number to a
// digest; the same text is compiled to WebAssembly and natively.
#ifndef WB_BENCH_RACE_GUEST_H
#define WB_BENCH_RACE_GUEST_H

#include <stdint.h>

#ifdef __wasm__
#define EXPORT(name) __attribute__((export_name(name)))
#else
#define EXPORT(name)
#endif

static inline uint32_t FirstRandom(uint32_t instance) { return instance * 2654435761u + 1; }
static inline uint32_t Next(uint32_t* random) { return *random = *random * 1664525u + 1013904223u; }
static inline uint32_t Fold(uint32_t digest, uint32_t word) { return (digest ^ word) * 16777619u; }
enum { kFoldStart = 2166136261u };

#endif
