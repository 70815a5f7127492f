#pragma once

// Modules in the text format, linked by name; tests only.

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "compiler/link/link.h"

namespace wb::test {

using NamedText = std::pair<std::string, std::string_view>;

// Stops where a text is no valid module.
std::shared_ptr<const Module> DecodeText(std::string_view wat);
Result<std::shared_ptr<const Module>> LinkText(const std::vector<NamedText>& modules,
                                               Instantiation when = Instantiation::kAtStart,
                                               const Imports& host = {});

}  // namespace wb::test
