#include "client/cli/program/binding_text.h"

#include <charconv>
#include <sstream>
#include <string_view>

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

template <typename Number>
bool ReadNumber(std::string_view text, Number* number) {
  const char* end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, *number);
  return error == std::errc() && rest == end;
}

// "bytes(1,2)", "bytes(1,=16)" or "string(1)". False: it is none of them.
bool ReadCallBytes(std::string_view text, v1::CallBytes* bytes) {
  const size_t open = text.find('(');
  if (open == std::string_view::npos || !text.ends_with(')')) return false;
  const std::string_view form = text.substr(0, open);
  const std::string_view inside = text.substr(open + 1, text.size() - open - 2);
  const size_t comma = inside.find(',');
  uint32_t pointer = 0, length = 0;
  if (!ReadNumber(inside.substr(0, comma), &pointer)) return false;
  bytes->set_pointer(pointer);
  if (form == "string" && comma == std::string_view::npos) {
    bytes->set_until_zero(true);
    return true;
  }
  if (form != "bytes" || comma == std::string_view::npos) return false;
  std::string_view of = inside.substr(comma + 1);
  const bool is_constant = of.starts_with('=');
  if (is_constant) of.remove_prefix(1);
  if (!ReadNumber(of, &length)) return false;
  if (is_constant) {
    bytes->set_constant_length(length);
  } else {
    bytes->set_length_argument(length);
  }
  return true;
}

Status AddCallBytes(const std::string& list, const std::string& binding, v1::Binding::Host* host) {
  std::istringstream rest(list);
  for (std::string one; std::getline(rest, one, '+');) {
    if (ReadCallBytes(one, host->add_bytes())) continue;
    return Wrong(binding, "has [" + one +
                              "] where it takes bytes(POINTER,LENGTH), bytes(POINTER,=COUNT) or "
                              "string(POINTER): arguments of the call by their number, from 0 on");
  }
  return {};
}

// Where the = sign before WAY stands. What is behind `lookup:` or `host:` may have one itself.
size_t EqualsBeforeWay(const std::string& text) {
  const size_t lookup = text.find(kLookup);
  if (lookup != std::string::npos) return lookup;
  const size_t host = text.rfind("=host:");
  return host == std::string::npos ? text.rfind('=') : host;
}

}  // namespace

Result<v1::Binding> ParseBinding(const std::string& text) {
  const size_t equals = EqualsBeforeWay(text);
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
  } else if (way == "host") {
    binding.mutable_host();
  } else if (kind == "host" && !values.empty()) {
    WB_TRY(AddCallBytes(values, text, binding.mutable_host()));
  } else {
    return Wrong(text, "has [" + way +
                           "] behind the = sign; it takes trap, ignore, record, "
                           "constant:TYPE:VALUE, lookup:FILE.csv or host");
  }
  return binding;
}

}  // namespace wb::cli
