#include "client/cli/program/element_list.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <utility>

#include "client/cli/program/literal.h"

namespace wb::cli {
namespace {

namespace v1 = wasmburst::v1;

struct ElementType {
  const char* name;
  v1::ValueType parsed_as;
  size_t bytes;
  int64_t lowest;  // of integers of less than 8 bytes
  int64_t highest;
};

constexpr ElementType kElementTypes[] = {
    {"i8", v1::I64, 1, -0x80, 0x7f},
    {"u8", v1::I64, 1, 0, 0xff},
    {"i16", v1::I64, 2, -0x8000, 0x7fff},
    {"u16", v1::I64, 2, 0, 0xffff},
    {"i32", v1::I64, 4, -0x80000000ll, 0x7fffffff},
    {"u32", v1::I64, 4, 0, 0xffffffffll},
    {"i64", v1::I64, 8, 0, 0},
    {"u64", v1::I64, 8, 0, 0},
    {"f32", v1::F32, 4, 0, 0},
    {"f64", v1::F64, 8, 0, 0},
};

Status BadElements(const std::string& words) {
  return Status(Reason::kInvalidArgument, words + ".");
}

Status BadElementsForm(const std::string& text) {
  return BadElements(
      "The elements [" + text +
      "] are not TYPE:[1,2,3] or, for each instance, TYPE:[[1,2],[3]]; types are i8, u8, "
      "i16, u16, i32, u32, i64, u64, f32 and f64");
}

Status AddElement(const ElementType& type, const std::string& text, std::string* bytes) {
  WB_ASSIGN(const uint64_t bits, ParseBits(text, type.parsed_as));
  const auto number = static_cast<int64_t>(bits);
  const bool is_small = type.parsed_as == v1::I64 && type.bytes < 8;
  if (is_small && (number < type.lowest || number > type.highest)) {
    return BadElements("The element [" + text + "] is no " + type.name);
  }
  for (size_t i = 0; i < type.bytes; ++i) *bytes += static_cast<char>(bits >> (8 * i));
  return {};
}

// `list`: in its brackets.
Result<std::string> BytesOf(const ElementType& type, const std::string& list) {
  std::string bytes;
  const std::string inside = list.substr(1, list.size() - 2);
  if (inside.find_first_not_of(' ') == std::string::npos) return bytes;
  for (size_t at = 0; at <= inside.size();) {
    const size_t comma = std::min(inside.find(',', at), inside.size());
    std::string element = inside.substr(at, comma - at);
    element.erase(0, element.find_first_not_of(' '));
    element.erase(element.find_last_not_of(' ') + 1);
    WB_TRY(AddElement(type, element, &bytes));
    at = comma + 1;
  }
  return bytes;
}

// "[1,2],[3]" as two lists in their brackets. Empty: it is no such text.
std::vector<std::string> ListsIn(const std::string& text) {
  std::vector<std::string> lists;
  for (size_t at = 0; at < text.size();) {
    const size_t end = text.find(']', at);
    if (text[at] != '[' || end == std::string::npos) return {};
    lists.push_back(text.substr(at, end + 1 - at));
    at = text.find_first_not_of(' ', end + 1);
    if (at == std::string::npos) return lists;
    const size_t next = text.find_first_not_of(' ', at + 1);
    if (text[at] != ',' || next == std::string::npos) return {};
    at = next;
  }
  return lists;
}

}  // namespace

Result<ElementList> ParseElements(const std::string& text) {
  const size_t colon = text.find(':');
  const auto* type =
      std::find_if(std::begin(kElementTypes), std::end(kElementTypes),
                   [&](const auto& known) { return text.substr(0, colon) == known.name; });
  if (colon == std::string::npos || type == std::end(kElementTypes)) return BadElementsForm(text);
  const std::string list = text.substr(colon + 1);
  ElementList elements;
  elements.type = type->name;
  const bool is_nested = list.starts_with("[[") && list.ends_with("]]");
  elements.shown = ListsIn(is_nested ? list.substr(1, list.size() - 2) : list);
  if (elements.shown.empty() || (!is_nested && elements.shown.size() > 1))
    return BadElementsForm(text);
  for (const std::string& one : elements.shown) {
    if (one.find('[', 1) != std::string::npos) return BadElementsForm(text);
    WB_ASSIGN(std::string bytes, BytesOf(*type, one));
    elements.bytes.push_back(std::move(bytes));
  }
  return elements;
}

}  // namespace wb::cli
