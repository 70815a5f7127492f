#pragma once

// What a data: URL holds. Pure; linear in the URL.

#include <optional>
#include <string>
#include <string_view>

namespace wb {

// "data:...;base64,AAAA" or "data:...,%7B%7D". nullopt: another URL, or its data does not decode.
std::optional<std::string> DataOfUrl(std::string_view url);

}  // namespace wb
