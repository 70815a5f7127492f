#pragma once

// Base64 (RFC 4648, section 4). Pure.

#include <optional>
#include <string>
#include <string_view>

namespace wb::cli {

std::string Base64(const std::string& bytes);

// Groups of four, the last one padded. nullopt: it is not so.
std::optional<std::string> BytesOfBase64(std::string_view text);

}  // namespace wb::cli
