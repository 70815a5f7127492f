#pragma once

// What cuda_probe runs: one export of a module on many lanes, and what the CPU device makes of it.

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "compiler/compiler.h"
#include "scheduler/devices/device.h"
#include "scheduler/lane_program.h"

namespace wb {

// The value, or the end of the program with `what` and why.
template <typename T>
T Must(Result<T> result, const char* what) {
  if (result.ok()) return std::move(result).value();
  std::fprintf(stderr, "%s: %s\n", what, result.status().ToString().c_str());
  std::exit(1);
}

// An argument of the export: `start` in lane 0, `step` more in each lane.
struct Argument {
  ValueType type = ValueType::kI32;
  double start = 0;
  double step = 0;

  uint64_t At(uint32_t lane) const {
    const double value = start + step * lane;
    if (type == ValueType::kF64) {
      uint64_t bits;
      std::memcpy(&bits, &value, 8);
      return bits;
    }
    return static_cast<uint64_t>(value);
  }
};

struct Work {
  std::shared_ptr<const LoweredModule> module;
  EncodedProgram program;
  DispatchShape shape;
  std::vector<Argument> arguments;

  std::vector<uint32_t> Columns() const {
    std::vector<uint32_t> words(size_t{shape.column_words} * shape.lanes);
    for (size_t i = 0; i < arguments.size(); ++i) {
      for (uint32_t lane = 0; lane < shape.lanes; ++lane) {
        const uint64_t bits = arguments[i].At(lane);
        for (uint32_t word = 0; word < TypeWords(arguments[i].type); ++word) {
          words[size_t{program.column_at[i] + word} * shape.lanes + lane] =
              static_cast<uint32_t>(bits >> (32 * word));
        }
      }
    }
    return words;
  }
};

// argv: FILE.wasm EXPORT LANES [ARG]... from [1] on. Any failure ends the program.
Work PrepareWork(char** argv, int argc);

// Every lane's record, lane by lane; prints the time taken.
std::vector<uint32_t> RunOnCpu(const Work& work);

inline double Milliseconds(std::chrono::steady_clock::time_point since) {
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - since)
      .count();
}

}  // namespace wb
