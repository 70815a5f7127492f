#pragma once

// Texts between UTF-8 and UTF-16, little end first. Pure.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "wasmburst/v1/program.pb.h"

namespace wb::cli {

// nullopt where the bytes are not UTF-8.
std::optional<std::string> Utf16OfUtf8(std::string_view text);

struct DecodedText {
  std::string utf8;
  uint64_t wrong_bytes = 0;  // U+FFFD stands for them
};

// UTF-16: a surrogate without its partner, and half a unit at the end, are wrong. NO_TEXT is read
// as UTF-8.
DecodedText DecodeText(std::string_view bytes, wasmburst::v1::TextEncoding encoding);

// "utf-8", "utf-16"; nullopt for other words.
std::optional<wasmburst::v1::TextEncoding> TextEncodingNamed(std::string_view name);
std::string TextEncodingName(wasmburst::v1::TextEncoding encoding);  // "UTF-16"

}  // namespace wb::cli
