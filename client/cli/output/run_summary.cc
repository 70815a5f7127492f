#include "client/cli/output/run_summary.h"

#include <algorithm>
#include <cctype>

#include "client/cli/output/program_output.h"

namespace wb::cli {
namespace {

namespace v1 = wasmburst::v1;

constexpr size_t kShownFailures = 3;
constexpr size_t kShownErrorBytes = 1000;
constexpr size_t kShownCodes = 10;

// "OUT_OF_FUEL" as "out of fuel".
std::string EndWords(v1::End end) {
  std::string words = v1::End_Name(end);
  for (char& c : words) {
    c = c == '_' ? ' ' : static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  return words;
}

std::string EndOf(const std::string& text) {
  if (text.size() <= kShownErrorBytes) return text;
  return "..." + text.substr(text.size() - kShownErrorBytes);
}

std::string Indented(const std::string& text) {
  std::string indented;
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size());
    indented += "  " + text.substr(at, end - at) + "\n";
    at = end + 1;
  }
  return indented;
}

}  // namespace

void RunSummary::Add(const v1::InstanceResult& result, const std::string& item) {
  if (result.end() == v1::RETURNED || result.end() == v1::EXITED) {
    ++codes_[result.exit_code()];
  } else {
    ++other_ends_[EndWords(result.end())];
  }
  const std::string how = FailureText(result);
  if (how.empty()) return;
  ++failed_;
  if (first_.size() == kShownFailures) return;
  const std::string* errors = OutputNamed(result, "stderr");
  first_.push_back({item, how, errors == nullptr ? "" : EndOf(*errors)});
}

std::string RunSummary::CodesText() const {
  std::string text;
  size_t shown = 0;
  for (const auto& [code, times] : codes_) {
    if (++shown > kShownCodes) {
      text += ", and [" + std::to_string(codes_.size() - kShownCodes) + "] more codes";
      break;
    }
    text += (text.empty() ? "exit codes: " : ", ") + std::to_string(times) + " times " +
            std::to_string(code);
  }
  for (const auto& [end, times] : other_ends_) {
    text += (text.empty() ? "" : "; ") + std::to_string(times) + " " + end;
  }
  return text;
}

std::string RunSummary::FailuresText(bool with_errors) const {
  std::string text;
  for (const Failure& failure : first_) {
    text += "[" + failure.item + "] " + failure.how + "\n";
    if (with_errors) text += Indented(failure.errors);
  }
  if (failed_ > first_.size()) {
    text += "and [" + std::to_string(failed_ - first_.size()) + "] more failed\n";
  }
  return text;
}

}  // namespace wb::cli
