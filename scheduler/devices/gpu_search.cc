#include "scheduler/devices/gpu_search.h"

#include <algorithm>

#include "scheduler/base/quoted.h"

namespace wb {
namespace {

constexpr size_t kMostDigits = 2;

Status BadList(const std::string& text) {
  return Status(Reason::kConfigInvalid, "The GPUs " + Quoted(text) +
                                            " are neither \"all\" nor numbers from 0 to " +
                                            Quoted(uint64_t{GpuSearch::kMostGpus} - 1) +
                                            " with a comma between them, each once.");
}

// Whether the error names a GPU that does not exist. Any other error is of one GPU, or of all.
std::optional<uint32_t> CountIn(const Status& why) {
  for (const Detail& detail : why.details()) {
    if (detail.key == "gpus") return static_cast<uint32_t>(std::stoul(detail.value));
  }
  return std::nullopt;
}

}  // namespace

Result<std::vector<uint32_t>> ParseGpuOrdinals(const std::string& text) {
  std::vector<uint32_t> ordinals;
  if (text == "all") return ordinals;
  for (size_t at = 0; at <= text.size();) {
    const size_t comma = std::min(text.find(',', at), text.size());
    const std::string word = text.substr(at, comma - at);
    const bool is_number = !word.empty() && word.size() <= kMostDigits &&
                           word.find_first_not_of("0123456789") == std::string::npos;
    if (!is_number) return BadList(text);
    const auto ordinal = static_cast<uint32_t>(std::stoul(word));
    const bool is_known = std::find(ordinals.begin(), ordinals.end(), ordinal) != ordinals.end();
    if (is_known || ordinal >= GpuSearch::kMostGpus) return BadList(text);
    ordinals.push_back(ordinal);
    at = comma + 1;
  }
  return ordinals;
}

std::vector<uint32_t> GpuSearch::Next() {
  const uint64_t most = IsAll() ? gpus_.value_or(kMostGpus) : choice_.ordinals.size();
  std::vector<uint32_t> next;
  while (!over_ && tried_ < std::min<uint64_t>(most, kMostGpus)) {
    const uint32_t ordinal = IsAll() ? tried_ : choice_.ordinals[tried_];
    ++tried_;
    if (is_open_ && is_open_(ordinal)) continue;
    next.push_back(ordinal);
    if (opened_ == 0) break;
  }
  return next;
}

void GpuSearch::Opened(uint32_t gpus) {
  ++opened_;
  gpus_ = std::max(gpus, 1u);
}

void GpuSearch::Failed(uint32_t ordinal, const Status& why) {
  const std::optional<uint32_t> gpus = CountIn(why);
  if (gpus && IsAll()) {
    over_ = true;  // the end of them
    return;
  }
  problems_.push_back({ordinal, why});
  if (gpus) return;
  // There is no driver, no compiler or no engine host: the next GPU would say the same.
  const bool is_general =
      why.reason() == Reason::kConfigInvalid || why.reason() == Reason::kIoError;
  if (is_general && opened_ == 0) over_ = true;
}

Status GpuSearch::End() const {
  if (problems_.empty()) return {};
  const Status& first = problems_.front().why;
  if (opened_ > 0) return choice_.required && !IsAll() ? first : Status();
  const bool may_lack = first.reason() == Reason::kConfigInvalid && !choice_.required;
  return may_lack ? Status() : first;
}

std::vector<std::string> GpuSearch::Words() const {
  std::vector<std::string> words;
  for (const Problem& problem : problems_) {
    if (opened_ == 0) return {"There is no GPU: " + problem.why.message()};
    words.push_back("The GPU " + Quoted(uint64_t{problem.ordinal}) +
                    " is left out: " + problem.why.message());
  }
  return words;
}

}  // namespace wb
