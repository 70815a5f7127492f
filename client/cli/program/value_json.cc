#include "client/cli/program/value_json.h"

#include <nlohmann/json.hpp>
#include <string>

#include "client/cli/program/literal.h"

namespace wb::cli {

namespace v1 = wasmburst::v1;

nlohmann::ordered_json ValueJson(const v1::Value& value) {
  if (value.kind_case() == v1::Value::kI32) return value.i32();
  if (value.kind_case() == v1::Value::kI64) return value.i64();
  std::string text = ValueText(value);
  nlohmann::ordered_json parsed = nlohmann::ordered_json::parse(text, nullptr, false);
  return parsed.is_number() ? parsed : nlohmann::ordered_json(text);
}

}  // namespace wb::cli
