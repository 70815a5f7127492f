#pragma once

// Lines of a descriptor, as they come: a pipe's need not fit in memory.

#include <functional>
#include <optional>
#include <string>

#include "compiler/base/status.h"

namespace wb::cli {

class InputLines {
 public:
  // `descriptor` must outlive it. `goes_on` is asked again and again while it waits for bytes; its
  // error ends the wait.
  InputLines(int descriptor, std::function<Status()> goes_on);

  // Without its end, which may be CR LF; nullopt behind the last. IO_ERROR; INVALID_ARGUMENT: a
  // line of more than 64 MiB, such as of input that has no lines.
  Result<std::optional<std::string>> Next();

 private:
  Status Wait() const;
  Status Read();  // at least a byte more, or the end

  const int descriptor_;
  const std::function<Status()> goes_on_;
  std::string bytes_;
  size_t at_ = 0;
  bool has_ended_ = false;
};

}  // namespace wb::cli
