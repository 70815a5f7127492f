#include "client/cli/output/first_traps.h"

#include <algorithm>

#include "client/cli/output/trap_text.h"

namespace wb::cli {
namespace {

namespace v1 = wasmburst::v1;

constexpr size_t kShownTraps = 3;

}  // namespace

void FirstTraps::Add(const v1::InstanceResult& result) {
  if (result.end() != v1::TRAPPED) return;
  ++trapped_;
  std::vector<std::string>& first = result.backtrace_size() > 0 ? with_calls_ : others_;
  if (first.size() == kShownTraps) return;
  first.push_back("instance " + std::to_string(result.instance()) +
                  " trapped: " + TrapText(result.trap()) + BacktraceText(result));
}

std::string FirstTraps::Text() const {
  std::vector<std::string> shown = with_calls_;
  shown.insert(shown.end(), others_.begin(), others_.end());
  shown.resize(std::min(shown.size(), kShownTraps));
  std::string text;
  for (const std::string& trap : shown) text += (text.empty() ? "" : "\n") + trap;
  if (trapped_ > shown.size()) {
    text += "\nand [" + std::to_string(trapped_ - shown.size()) + "] more trapped";
  }
  return text;
}

}  // namespace wb::cli
