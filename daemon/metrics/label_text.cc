#include "daemon/metrics/label_text.h"

namespace wb {

std::string LabelText(std::string_view name) {
  std::string text(name);
  for (char& c : text) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    if (c == ' ') c = '_';
  }
  return text;
}

double SecondsOf(std::chrono::nanoseconds time) {
  return std::chrono::duration<double>(time).count();
}

}  // namespace wb
