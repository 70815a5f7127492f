#pragma once

// Results in the order of their instances (--ordered). Those that come before their turn wait: in
// memory up to a bound, beyond it in temporary files, so memory stays bounded however long one
// instance takes.

#include <cstdint>
#include <cstdio>
#include <functional>
#include <map>
#include <memory>
#include <string>

#include "compiler/base/status.h"
#include "wasmburst/v1/results.pb.h"

namespace wb::cli {

class ResultOrder {
 public:
  using Take = std::function<void(const wasmburst::v1::InstanceResult&)>;

  // The first in order is the instance `first`. `most_bytes` of results wait in memory.
  explicit ResultOrder(Take take, uint64_t first = 0, uint64_t most_bytes = uint64_t{64} << 20);

  // Passes on what is due. IO_ERROR where a temporary file cannot be written or read.
  Status Add(const wasmburst::v1::InstanceResult& result);
  // Passes on all that waits, in order, behind instances that have not come.
  Status Finish();

  uint64_t spilled() const { return spilled_; }  // results that went to a file

 private:
  struct CloseFile {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  using File = std::unique_ptr<std::FILE, CloseFile>;

  Status PassOn();
  Status Spill(const wasmburst::v1::InstanceResult& result);
  // The one that waits for its turn in memory or in the file; false: it has not come.
  Result<bool> TakeNext();
  Result<bool> TakeSpilled();

  const Take take_;
  const uint64_t most_bytes_;
  uint64_t next_;  // instance
  uint64_t end_;   // behind the highest instance that came
  std::map<uint64_t, wasmburst::v1::InstanceResult> early_;
  uint64_t early_bytes_ = 0;
  // Serialised results one behind the other, and for each instance 8 bytes: where its own begins,
  // plus 1. The second file has holes where no instance is.
  File results_, places_;
  uint64_t results_end_ = 0;
  uint64_t spilled_ = 0;
  uint64_t waiting_ = 0;  // of the spilled ones
};

}  // namespace wb::cli
