#pragma once

// Values of results and calls as JSON.

#include <nlohmann/json_fwd.hpp>

#include "wasmburst/v1/program.pb.h"

namespace wb::cli {

// As JSON's own number where JSON has it, else as text (ParseValue reads both).
nlohmann::ordered_json ValueJson(const wasmburst::v1::Value& value);

}  // namespace wb::cli
