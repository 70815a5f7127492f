#include "client/cli/program/binding_text.h"

#include <sstream>

#include "client/cli/program/files.h"
#include "client/cli/program/literal.h"
#include "client/cli/program/lookup_file.h"

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

constexpr std::string_view kLookup = "=lookup:", kOtherwise = ",otherwise=";

// "FILE.csv" or "FILE.csv,otherwise=VALUES"
Result<v1::Binding::Lookup> ReadLookup(const std::string& text) {
  const size_t at = text.find(kOtherwise);
  const std::string path = text.substr(0, at);
  WB_ASSIGN(const std::string csv, ReadFile(path));
  const bool traps = at == std::string::npos;
  return ParseLookup(csv, path, traps ? "" : text.substr(at + kOtherwise.size()));
}

// Where the = sign before WAY is. A look-up's WAY may have one itself.
size_t EqualsOf(const std::string& text) {
  const size_t lookup = text.find(kLookup);
  return lookup == std::string::npos ? text.rfind('=') : lookup;
}

}  // namespace

Result<v1::Binding> ParseBinding(const std::string& text) {
  const size_t equals = EqualsOf(text);
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
  } else if (kind == "lookup" && !values.empty()) {
    WB_ASSIGN(*binding.mutable_lookup(), ReadLookup(values));
  } else {
    return Wrong(text, "has [" + way +
                           "] behind the = sign; it takes trap, ignore, record, "
                           "constant:TYPE:VALUE or lookup:FILE.csv");
  }
  return binding;
}

}  // namespace wb::cli
