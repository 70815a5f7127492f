#pragma once

// Texts between UTF-8 and UTF-16, little end first. Pure.

#include <optional>
#include <string>
#include <string_view>

namespace wb::cli {

// nullopt where the bytes are not UTF-8.
std::optional<std::string> Utf16OfUtf8(std::string_view text);

// A surrogate without its partner, and half a unit at the end, become U+FFFD.
std::string Utf8OfUtf16(std::string_view units);

}  // namespace wb::cli
