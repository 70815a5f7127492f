#include "tests/fuzz/shrink.h"

#include <algorithm>
#include <utility>

#include "tests/fuzz/sections.h"

namespace wb::fuzz {
namespace {

class ChoiceShrinker {
 public:
  ChoiceShrinker(Numbers choices, const std::function<bool(const Numbers&)>& fails, uint32_t tries)
      : best_(std::move(choices)), fails_(fails), tries_(tries) {}

  Numbers Run() {
    size_t before = 0;
    do {
      before = Weight();
      LeaveOut();
      SetToZero();
      MakeSmaller();
    } while (Weight() < before && tries_ > 0);
    return best_;
  }

 private:
  size_t Weight() const {
    return best_.size() + static_cast<size_t>(std::count_if(best_.begin(), best_.end(),
                                                            [](uint32_t n) { return n != 0; }));
  }

  bool Try(Numbers candidate) {
    while (!candidate.empty() && candidate.back() == 0) candidate.pop_back();
    if (tries_ == 0 || candidate == best_) return false;
    --tries_;
    if (!fails_(candidate)) return false;
    best_ = std::move(candidate);
    return true;
  }

  // Long parts first, from the end, where what is left out shifts the least.
  void LeaveOut() {
    for (size_t length = best_.size() / 2; length > 0 && tries_ > 0; length /= 2) {
      for (size_t end = best_.size(); end >= length && tries_ > 0;) {
        Numbers candidate = best_;
        candidate.erase(candidate.begin() + (end - length), candidate.begin() + end);
        Try(std::move(candidate));
        end = std::min(end - std::min(end, length), best_.size());
      }
    }
  }

  void SetToZero() {
    for (size_t length = best_.size() / 4; length > 0 && tries_ > 0; length /= 2) {
      for (size_t at = 0; at + length <= best_.size() && tries_ > 0; at += length) {
        Numbers candidate = best_;
        std::fill_n(candidate.begin() + at, length, 0);
        Try(std::move(candidate));
      }
    }
  }

  void MakeSmaller() {
    for (size_t at = 0; at < best_.size() && tries_ > 0; ++at) {
      for (const uint32_t divisor : {8u, 2u}) {
        if (at >= best_.size() || best_[at] < 2) break;
        Numbers candidate = best_;
        candidate[at] /= divisor;
        Try(std::move(candidate));
      }
    }
  }

  Numbers best_;
  const std::function<bool(const Numbers&)>& fails_;
  uint32_t tries_;
};

}  // namespace

Numbers ShrinkChoices(Numbers choices, const std::function<bool(const Numbers&)>& fails,
                      uint32_t tries) {
  return ChoiceShrinker(std::move(choices), fails, tries).Run();
}

Bytes ShrinkModule(Bytes wasm, const std::function<bool(const Bytes&)>& fails, uint32_t tries) {
  const auto attempt = [&](Bytes candidate) {
    if (tries == 0 || candidate == wasm) return;
    --tries;
    if (fails(candidate)) wasm = std::move(candidate);
  };
  attempt(WithoutStart(wasm));
  for (uint32_t i = ExportCount(wasm); i-- > 0;) attempt(WithoutExport(wasm, i));
  for (uint32_t i = BodyCount(wasm); i-- > 0;) attempt(WithEmptyBody(wasm, i));
  return wasm;
}

}  // namespace wb::fuzz
