#pragma once

// Decimal numbers in settings and arguments. Not by std::from_chars: Apple's C++ library had none
// for floats for long.

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>

namespace wb {

// Takes the number that `text` begins with off it: "12", "0.5", ".5" or "3.", without sign or
// exponent. nullopt: `text` begins with no number.
inline std::optional<double> TakeDecimal(std::string_view* text) {
  const auto digits_from = [text](size_t at) {
    return std::min(text->find_first_not_of("0123456789", at), text->size());
  };
  size_t end = digits_from(0);
  size_t digits = end;
  if (end < text->size() && (*text)[end] == '.') {
    const size_t fraction = end + 1;
    end = digits_from(fraction);
    digits += end - fraction;
  }
  if (digits == 0) return std::nullopt;
  const std::string number(text->substr(0, end));
  text->remove_prefix(end);
  return std::strtod(number.c_str(), nullptr);
}

}  // namespace wb
