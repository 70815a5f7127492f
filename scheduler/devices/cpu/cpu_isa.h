#pragma once

// The instruction set that kernels are compiled for. It is a named level, not "native". The cache
// key has its name, so a binary never meets a processor that lacks what it uses.

#include <string>

namespace wb {

struct CpuIsa {
  std::string name;  // part of the device's target: "x86-64-v3"
  std::string flag;  // "-march=x86-64-v3"; empty: the compiler's baseline
};

// The best level that this processor and its operating system support, up to x86-64-v3 (the
// kernels are scalar code, which 512-bit registers do not help).
CpuIsa DetectIsa();

std::string CpuModelName();  // "AMD EPYC"; "CPU" where the system does not tell

}  // namespace wb
