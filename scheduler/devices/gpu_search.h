#pragma once

// GpuSearch: which of a machine's GPUs are opened, and what it means when some do not open. The
// driver is opened in engine hosts only, so the number of GPUs is known once the first has opened.
// The others are then opened side by side. Pure.

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "compiler/base/status.h"

namespace wb {

struct GpuChoice {
  std::vector<uint32_t> ordinals;  // as the driver counts; empty: all there are
  bool required = false;           // all that are named, or, where none is, at least one
};

// "all", or a list such as "0,2". CONFIG_INVALID says what is wrong.
Result<std::vector<uint32_t>> ParseGpuOrdinals(const std::string& text);

class GpuSearch {
 public:
  static constexpr uint32_t kMostGpus = 64;

  // `is_open`: GPUs that are open already and are not opened again. The number of GPUs does not
  // follow from them, since others may have come.
  explicit GpuSearch(GpuChoice choice, std::function<bool(uint32_t ordinal)> is_open = {})
      : choice_(std::move(choice)), is_open_(std::move(is_open)) {}

  // The GPUs to open next, together. Opened() or Failed() is called for each before the next call.
  // Empty: there are no more.
  std::vector<uint32_t> Next();
  void Opened(uint32_t gpus);  // that its driver counts
  void Failed(uint32_t ordinal, const Status& why);

  // After the last GPU. An error: there must be no scheduler without it.
  Status End() const;
  // What an operator should know: which GPUs are left out, or why there is none.
  std::vector<std::string> Words() const;

 private:
  struct Problem {
    uint32_t ordinal;
    Status why;
  };
  bool IsAll() const { return choice_.ordinals.empty(); }

  const GpuChoice choice_;
  const std::function<bool(uint32_t)> is_open_;
  uint32_t tried_ = 0;
  uint32_t opened_ = 0;
  std::optional<uint32_t> gpus_;  // that the driver counts
  bool over_ = false;
  std::vector<Problem> problems_;
};

}  // namespace wb
