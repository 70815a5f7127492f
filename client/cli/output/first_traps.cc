#include "client/cli/output/first_traps.h"

#include "client/cli/output/trap_text.h"

namespace wb::cli {
namespace {

namespace v1 = wasmburst::v1;

constexpr size_t kShownTraps = 3;

}  // namespace

void FirstTraps::Add(const v1::InstanceResult& result) {
  if (result.end() != v1::TRAPPED) return;
  ++trapped_;
  if (first_.size() == kShownTraps) return;
  first_.push_back("instance " + std::to_string(result.instance()) +
                   " trapped: " + TrapText(result.trap()) + BacktraceText(result));
}

std::string FirstTraps::Text() const {
  std::string text;
  for (const std::string& line : first_) text += (text.empty() ? "" : "\n") + line;
  if (trapped_ > first_.size()) {
    text += "\nand [" + std::to_string(trapped_ - first_.size()) + "] more trapped";
  }
  return text;
}

}  // namespace wb::cli
