#include "client/cli/program/binding_text.h"

#include <sstream>

#include "client/cli/program/literal.h"

namespace wb::cli {
namespace {

namespace v1 = wasmburst::v1;

Status Wrong(const std::string& text, const std::string& words) {
  return Status(Reason::kInvalidArgument, "The binding [" + text + "] " + words + ".");
}

// "i32:7"
Result<v1::Value> TypedValue(const std::string& text, const std::string& binding) {
  const size_t colon = text.find(':');
  const auto type = TypeNamed(text.substr(0, colon));
  if (colon == std::string::npos || !type) {
    return Wrong(binding, "needs TYPE:VALUE, such as i32:7, where it has [" + text + "]");
  }
  return ParseValue(text.substr(colon + 1), *type);
}

template <typename Values>
Status AddValues(const std::string& list, const std::string& binding, Values* values) {
  std::istringstream rest(list);
  for (std::string one; std::getline(rest, one, ',');) {
    WB_ASSIGN(*values->Add(), TypedValue(one, binding));
  }
  return {};
}

}  // namespace

Result<v1::Binding> ParseBinding(const std::string& text) {
  const size_t equals = text.rfind('=');
  if (equals == 0 || equals == std::string::npos) return Wrong(text, "is not MODULE.NAME=WAY");
  v1::Binding binding;
  binding.set_import(text.substr(0, equals));
  const std::string way = text.substr(equals + 1);
  const size_t colon = way.find(':');
  const std::string kind = way.substr(0, colon);
  const std::string values = colon == std::string::npos ? "" : way.substr(colon + 1);
  if (way == "trap") {
    binding.mutable_trap();
  } else if (way == "ignore") {
    binding.mutable_ignore();
  } else if (kind == "record") {
    WB_TRY(AddValues(values, text, binding.mutable_record()->mutable_results()));
  } else if (kind == "constant" && !values.empty()) {
    WB_TRY(AddValues(values, text, binding.mutable_constant()->mutable_values()));
  } else {
    return Wrong(text, "has [" + way +
                           "] behind the = sign; it takes trap, ignore, record or "
                           "constant:TYPE:VALUE");
  }
  return binding;
}

}  // namespace wb::cli
