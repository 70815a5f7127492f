#pragma once

// A terminal that lines are drawn on and keys come from. One thread, one at a time.

#include <memory>
#include <optional>
#include <vector>

#include "client/cli/top/layout.h"
#include "client/cli/top/sparkline.h"
#include "client/cli/top/top_model.h"
#include "compiler/base/status.h"

namespace wb::cli {

class Terminal {
 public:
  // Of standard input and output, by $TERM. INVALID_ARGUMENT: it cannot be drawn on; the message
  // says what to do instead. Signals that would end the program (SIGHUP, SIGQUIT) end has_ended()
  // while it is open.
  static Result<std::unique_ptr<Terminal>> Open(bool colour);
  virtual ~Terminal() = default;  // the terminal is as it was before

  virtual size_t width() const = 0;
  virtual size_t height() const = 0;
  virtual Glyphs glyphs() const = 0;
  virtual void Draw(const std::vector<TopLine>& lines) = 0;
  // nullopt: no key for `milliseconds`, or the size has changed.
  virtual std::optional<TopKey> ReadKey(int milliseconds) = 0;
  virtual bool has_ended() const = 0;
};

}  // namespace wb::cli
