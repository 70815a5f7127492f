// In place of terminal_ncurses.cc, in builds without ncurses.

#include "client/cli/top/terminal.h"

namespace wb::cli {

Result<std::unique_ptr<Terminal>> Terminal::Open(bool /*colour*/) {
  return Status(Reason::kInvalidArgument,
                "This wasmburstctl was built without ncurses; `wasmburstctl top --plain` prints "
                "what it would draw.");
}

}  // namespace wb::cli
