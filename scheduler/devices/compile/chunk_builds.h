#pragma once

// Compilers of the chunks of one text (emit/chunks.h). A few run side by side, all within one
// text's bounds of time and memory.

#include <chrono>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "compiler/base/status.h"
#include "scheduler/devices/compile/compile_process.h"
#include "scheduler/devices/compile/private_folder.h"
#include "scheduler/devices/compile/warm_processes.h"

namespace wb {

class ChunkBuilds {
 public:
  // How many run at a time on this machine: of so many, and the most where they are few.
  static uint32_t AtOnce(size_t builds);
  static uint32_t MostOfFew();

  // The time begins now.
  explicit ChunkBuilds(const ChildLimits& limits);

  // Adds a compile. Its folder lives as long as this object.
  void Add(OneCompile compile, std::vector<std::string> argv) {
    builds_.push_back({std::move(compile), std::move(argv)});
  }
  size_t size() const { return builds_.size(); }
  const PrivateFolder& folder(size_t build) const { return builds_[build].compile.folder(); }

  // Runs all, once. After one fails no other is started. Returns the report of the one that failed,
  // or any.
  Result<ChildReport> Run();
  // Of what runs after them, alone: the time that is left.
  ChildLimits LimitsOfLast() const { return LimitsOfEach(1); }

 private:
  struct Build {
    OneCompile compile;
    std::vector<std::string> argv;
  };

  // What each of `at_once` compilers may take.
  ChildLimits LimitsOfEach(uint32_t at_once) const;

  const ChildLimits limits_;
  const std::chrono::steady_clock::time_point deadline_;
  std::vector<Build> builds_;
};

// It exited with 0, in time.
bool Succeeded(const ChildReport& report);

}  // namespace wb
