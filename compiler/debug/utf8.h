#pragma once

// UTF-8 as Unicode defines it: no longer forms than needed, no surrogates. Pure.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace wb {

bool IsUtf8(std::string_view text);

// `point`: below 0x110000, no surrogate.
void AddUtf8(uint32_t point, std::string* text);

// The front of a UTF-8 text, of at most `most` bytes, cut between two characters.
std::string_view Utf8Front(std::string_view text, size_t most);

}  // namespace wb
