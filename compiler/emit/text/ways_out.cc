#include "compiler/emit/text/ways_out.h"

#include <algorithm>

namespace wb {

uint32_t WaysOut::StateOf(const std::string& why) {
  const auto at = std::find(whys_.begin(), whys_.end(), why);
  const size_t index = static_cast<size_t>(at - whys_.begin());
  if (index == kMost) return 0;
  if (at == whys_.end()) whys_.push_back(why);
  return first_ + 1 + static_cast<uint32_t>(index);
}

std::string WaysOut::TakeText() {
  takes_ = true;
  std::string text = "if (w != 0u) { ";
  text += kVariable;
  text += " = w; s1 = ";
  text += std::to_string(first_ + 1);
  text += "u; w = 0u; }";
  return text;
}

void WaysOut::Write(Text& text) const {
  text.Open("switch (s1)");
  for (size_t i = takes_ ? 0 : 1; i < whys_.size(); ++i) {
    text.Line("case ", first_ + 1 + i, "u: { w = ", whys_[i], "; break; }");
  }
  text.Line("default: { break; }");
  text.Close();
}

}  // namespace wb
