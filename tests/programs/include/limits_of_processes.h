#pragma once

// MiniSat asks for limits of its process on request only.
typedef unsigned long rlim_t;
struct rlimit {
  rlim_t rlim_cur, rlim_max;
};
enum { RLIMIT_CPU, RLIMIT_AS, RLIM_INFINITY = -1 };
static inline int getrlimit(int what, struct rlimit* limit) { return -1; }
static inline int setrlimit(int what, const struct rlimit* limit) { return -1; }
