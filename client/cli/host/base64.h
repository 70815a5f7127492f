#pragma once

// Base64 as handlers write it (RFC 4648, section 4). Base64() of output/print.h writes it.

#include <optional>
#include <string>
#include <string_view>

namespace wb::cli {

// Groups of four, the last one padded. nullopt: it is not so.
std::optional<std::string> BytesOfBase64(std::string_view text);

}  // namespace wb::cli
