#include "scheduler/devices/cpu/cpu_isa.h"

#include <fstream>
#ifdef __APPLE__
#include <sys/sysctl.h>
#endif

#if defined(__x86_64__)
#include <cpuid.h>
#endif

namespace wb {
namespace {

#if defined(__x86_64__)

struct Registers {
  unsigned eax = 0, ebx = 0, ecx = 0, edx = 0;
};

Registers Leaf(unsigned leaf) {
  Registers r;
  __get_cpuid_count(leaf, 0, &r.eax, &r.ebx, &r.ecx, &r.edx);
  return r;
}

bool Has(unsigned reg, std::initializer_list<int> bits) {
  for (int bit : bits) {
    if ((reg >> bit & 1) == 0) return false;
  }
  return true;
}

// The levels of the x86-64 psABI, section 3.1.1.
bool IsV2() {
  const Registers r = Leaf(1);
  // SSE3, SSSE3, CMPXCHG16B, SSE4.1, SSE4.2, POPCNT; LAHF in 64-bit mode
  return Has(r.ecx, {0, 9, 13, 19, 20, 23}) && Has(Leaf(0x80000001).ecx, {0});
}

bool IsV3() {
  const Registers r = Leaf(1);
  // FMA, MOVBE, OSXSAVE, AVX, F16C; BMI1, AVX2, BMI2; LZCNT
  if (!Has(r.ecx, {12, 22, 27, 28, 29}) || !Has(Leaf(7).ebx, {3, 5, 8})) return false;
  if (!Has(Leaf(0x80000001).ecx, {5})) return false;
  unsigned low = 0, high = 0;
  __asm__("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
  return (low & 6) == 6;  // the system saves XMM and YMM
}

#endif

}  // namespace

CpuIsa DetectIsa() {
#if defined(__x86_64__)
  if (!IsV2()) return {"x86-64", "-march=x86-64"};
  if (!IsV3()) return {"x86-64-v2", "-march=x86-64-v2"};
  return {"x86-64-v3", "-march=x86-64-v3"};
#elif defined(__aarch64__)
  return {"armv8-a", "-march=armv8-a"};
#else
  return {"baseline", ""};
#endif
}

std::string CpuModelName() {
#ifdef __APPLE__
  char name[128] = {};
  size_t size = sizeof name - 1;
  if (sysctlbyname("machdep.cpu.brand_string", name, &size, nullptr, 0) == 0) return name;
#endif
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    const size_t colon = line.find(':');
    if (line.rfind("model name", 0) == 0 && colon != std::string::npos && colon + 2 < line.size()) {
      return line.substr(colon + 2);
    }
  }
  return "CPU";
}

}  // namespace wb
