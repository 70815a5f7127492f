#pragma once

// A core file for people and programs. Pure.

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "compiler/coredump/core_dump.h"

namespace wb::cli {

// All of it; bytes of memory as base64. Texts that are not UTF-8 are replaced where they are wrong.
nlohmann::ordered_json CoreJson(const CoreDump& core);

// Its end, its frames with their locals, and how much there is of the rest.
std::string CoreText(const CoreDump& core);

}  // namespace wb::cli
