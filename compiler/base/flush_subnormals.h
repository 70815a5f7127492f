#pragma once

// While an object lives, the calling thread's floating-point unit takes and gives zeros for
// subnormals, as Apple GPUs do in every mode. For tests of texts that must give the right bits
// there.

#include <cstdint>

#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

namespace wb {

class FlushSubnormals {
 public:
  explicit FlushSubnormals(bool flush = true) : before_(Get()) {
    if (flush) Set(before_ | kFlush);
  }
  ~FlushSubnormals() { Set(before_); }
  FlushSubnormals(const FlushSubnormals&) = delete;
  FlushSubnormals& operator=(const FlushSubnormals&) = delete;

  // Whether this processor can do so.
  static constexpr bool Supported() { return kFlush != 0; }

 private:
#if defined(__x86_64__)
  static constexpr uint64_t kFlush = 0x8040;  // MXCSR: flush to zero, denormals are zeros
  static uint64_t Get() { return _mm_getcsr(); }
  static void Set(uint64_t mode) { _mm_setcsr(static_cast<unsigned>(mode)); }
#elif defined(__aarch64__)
  static constexpr uint64_t kFlush = uint64_t{1} << 24;  // FPCR.FZ
  static uint64_t Get() {
    uint64_t mode;
    asm volatile("mrs %0, fpcr" : "=r"(mode));
    return mode;
  }
  static void Set(uint64_t mode) { asm volatile("msr fpcr, %0" ::"r"(mode)); }
#else
  static constexpr uint64_t kFlush = 0;
  static uint64_t Get() { return 0; }
  static void Set(uint64_t) {}
#endif

  const uint64_t before_;
};

}  // namespace wb
