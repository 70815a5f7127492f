#pragma once

// Compilers of the chunks of one text (emit/chunks.h), a few side by side, all within one text's
// bounds of time and memory.

#include <chrono>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "compiler/base/status.h"
#include "scheduler/devices/compile/compile_process.h"
#include "scheduler/devices/compile/private_folder.h"

namespace wb {

class ChunkBuilds {
 public:
  // The time begins now.
  explicit ChunkBuilds(const ChildLimits& limits);

  // A compiler to be run in its folder, which stays as long as this.
  void Add(PrivateFolder folder, std::vector<std::string> argv) {
    builds_.push_back({std::move(folder), std::move(argv)});
  }
  size_t size() const { return builds_.size(); }
  const PrivateFolder& folder(size_t build) const { return builds_[build].folder; }

  // Runs all; after one that fails no other is started. That one's report, or any.
  Result<ChildReport> Run() const;
  // What comes after them, alone, in the time that is left.
  Result<ChildReport> RunLast(const std::string& folder,
                              const std::vector<std::string>& argv) const;

 private:
  struct Build {
    PrivateFolder folder;
    std::vector<std::string> argv;
  };

  // What each of so many at the same time may take.
  ChildLimits LimitsOfEach(uint32_t at_once) const;

  const ChildLimits limits_;
  const std::chrono::steady_clock::time_point deadline_;
  std::vector<Build> builds_;
};

// It exited with 0, in time.
bool Succeeded(const ChildReport& report);

}  // namespace wb
