#include "client/cli/program/arg_spec.h"

#include <bit>
#include <cmath>
#include <filesystem>

#include "client/cli/encoding/table_rows.h"
#include "client/cli/program/element_list.h"
#include "client/cli/program/files.h"
#include "client/cli/program/literal.h"

namespace wb::cli {

const char* const kArgForms =
    "42  -1.5  0x10  nan      one value for all instances (f64:42 states its type)\n"
    "0x (32 hex digits)       one v128\n"
    "[1,2,3]                  a value for each instance\n"
    "0..1024  0..1:0.25       a range, the end exclusive, and its step\n"
    "@file.csv:NAME           a column of a CSV file with a header\n"
    "@file.jsonl:NAME         a member of each line's object\n"
    "text:WORDS hex:00ff @FILE  bytes for all instances, with --call-as and in --program\n"
    "bytes:[a,b] bytes:@F.csv:NAME  bytes for each instance, so too\n"
    "elements:i32:[1,2]       an array's elements as bytes; elements:u8:[[1],[2,3]] for each "
    "instance";

namespace {

namespace v1 = wasmburst::v1;

Status Bad(const std::string& words) { return Status(Reason::kInvalidArgument, words + "."); }

std::string Trimmed(const std::string& text) {
  size_t first = text.find_first_not_of(" \t");
  if (first == std::string::npos) return "";
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

Result<ArgSpec> ParseFileSpec(const std::string& text) {
  std::string path = text.substr(1);
  size_t colon = path.rfind(':');
  std::string name = colon == std::string::npos ? "" : path.substr(colon + 1);
  std::string stem = path.substr(0, colon);
  std::string kind = std::filesystem::path(stem).extension().string();
  ArgSpec spec;
  if (kind == ".csv" || kind == ".jsonl") {
    if (name.empty()) return Bad("The argument [" + text + "] names no column (@FILE:COLUMN)");
    WB_ASSIGN(std::string content, ReadFile(stem));
    spec.kind = ArgSpec::Kind::kList;
    spec.name = name;
    if (kind == ".csv") {
      WB_ASSIGN(spec.texts, CsvColumn(content, name));
    } else {
      WB_ASSIGN(spec.texts, JsonlColumn(content, name));
    }
    return spec;
  }
  spec.kind = ArgSpec::Kind::kBytes;
  WB_ASSIGN(std::string content, ReadFile(path));
  spec.texts = {std::move(content)};
  spec.shown = {path};
  return spec;
}

Result<ArgSpec> ParseList(const std::string& text) {
  if (text.back() != ']') return Bad("The list [" + text + "] does not end with a bracket");
  ArgSpec spec;
  spec.kind = ArgSpec::Kind::kList;
  std::string inside = text.substr(1, text.size() - 2);
  if (Trimmed(inside).empty()) return Bad("The list [] has no values");
  size_t at = 0;
  while (at <= inside.size()) {
    size_t comma = std::min(inside.find(',', at), inside.size());
    spec.texts.push_back(Trimmed(inside.substr(at, comma - at)));
    at = comma + 1;
  }
  return spec;
}

ArgSpec ParseRange(const std::string& text, size_t dots) {
  ArgSpec spec;
  spec.kind = ArgSpec::Kind::kRange;
  spec.start = Trimmed(text.substr(0, dots));
  std::string rest = text.substr(dots + 2);
  size_t colon = rest.find(':');
  spec.end = Trimmed(rest.substr(0, colon));
  spec.step = colon == std::string::npos ? "1" : Trimmed(rest.substr(colon + 1));
  return spec;
}

double NumberOf(uint64_t bits, v1::ValueType type) {
  if (type == v1::F32) return std::bit_cast<float>(static_cast<uint32_t>(bits));
  if (type == v1::F64) return std::bit_cast<double>(bits);
  return static_cast<double>(static_cast<int64_t>(bits));
}

Result<uint64_t> RangeLength(const ArgSpec& spec) {
  bool integers = true;
  for (const std::string* text : {&spec.start, &spec.end, &spec.step}) {
    integers = integers && ParseBits(*text, v1::I64).ok();
  }
  v1::ValueType type = integers ? v1::I64 : v1::F64;
  WB_ASSIGN(uint64_t start, ParseBits(spec.start, type));
  WB_ASSIGN(uint64_t end, ParseBits(spec.end, type));
  WB_ASSIGN(uint64_t step, ParseBits(spec.step, type));
  double length = 0;
  if (integers) {
    __extension__ using Wide = __int128;
    Wide width = static_cast<Wide>(static_cast<int64_t>(end)) - static_cast<int64_t>(start);
    Wide by = static_cast<int64_t>(step);
    if (by == 0 || (width > 0) != (by > 0))
      return Bad("The range [" + spec.start + ".." + spec.end + "] with step [" + spec.step +
                 "] is empty");
    Wide steps = (width + by + (by > 0 ? -1 : 1)) / by;
    return static_cast<uint64_t>(steps);
  }
  length = std::ceil((NumberOf(end, type) - NumberOf(start, type)) / NumberOf(step, type));
  if (!(length >= 1 && length < 1e15)) {
    return Bad("The range [" + spec.start + ".." + spec.end + "] with step [" + spec.step +
               "] is empty or has no end");
  }
  return static_cast<uint64_t>(length);
}

Status CheckType(const ArgSpec& spec, v1::ValueType type) {
  if (!spec.type || *spec.type == type) return {};
  return Status(Reason::kSignatureMismatch, "The argument was written as [" + TypeText(*spec.type) +
                                                "] where [" + TypeText(type) + "] is taken.");
}

Status CheckLength(uint64_t length, uint64_t instances, bool exact) {
  if (length == instances || (!exact && length > instances)) return {};
  return Bad("A column has [" + std::to_string(length) + "] values for [" +
             std::to_string(instances) + "] instances");
}

Result<v1::Column> ListColumn(const ArgSpec& spec, v1::ValueType type) {
  v1::Column column;
  v1::ValueList* list = column.mutable_list();
  list->set_type(type);
  bool small = type == v1::I32 || type == v1::F32;
  for (const std::string& text : spec.texts) {
    WB_ASSIGN(uint64_t bits, ParseBits(text, type));
    if (small) {
      list->add_bits32(static_cast<uint32_t>(bits));
    } else {
      list->add_bits64(bits);
    }
  }
  return column;
}

}  // namespace

Result<std::string> BytesOfHex(const std::string& digits) {
  std::string bytes;
  auto nibble = [](char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return -1;
  };
  for (size_t i = 0; i + 1 < digits.size(); i += 2) {
    int high = nibble(digits[i]), low = nibble(digits[i + 1]);
    if (high < 0 || low < 0) return Bad("The hexadecimal text [" + digits + "] has a wrong digit");
    bytes += static_cast<char>(high << 4 | low);
  }
  if (digits.size() % 2 != 0) return Bad("The hexadecimal text [" + digits + "] has half a byte");
  return bytes;
}

Result<ArgSpec> ParseArgSpec(const std::string& text) {
  if (text.empty()) return Bad("An argument is empty");
  size_t colon = text.find(':');
  std::string prefix = text.substr(0, colon);
  if (colon != std::string::npos) {
    if (std::optional<v1::ValueType> type = TypeNamed(prefix)) {
      WB_ASSIGN(ArgSpec spec, ParseArgSpec(text.substr(colon + 1)));
      spec.type = type;
      return spec;
    }
    if (prefix == "bytes") {
      WB_ASSIGN(ArgSpec spec, ParseArgSpec(text.substr(colon + 1)));
      const bool has_texts =
          spec.kind == ArgSpec::Kind::kList || spec.kind == ArgSpec::Kind::kBytes;
      if (!has_texts)
        return Bad("The argument [" + text + "] is neither a list, a column nor @FILE");
      spec.kind = ArgSpec::Kind::kBytes;
      return spec;
    }
    if (prefix == "elements") {
      WB_ASSIGN(ElementList elements, ParseElements(text.substr(colon + 1)));
      ArgSpec spec;
      spec.kind = ArgSpec::Kind::kBytes;
      spec.texts = std::move(elements.bytes);
      spec.shown = std::move(elements.shown);
      spec.element = std::move(elements.type);
      return spec;
    }
    if (prefix == "hex" || prefix == "text") {
      ArgSpec spec;
      spec.kind = ArgSpec::Kind::kBytes;
      std::string bytes = text.substr(colon + 1);
      if (prefix == "hex") {
        WB_ASSIGN(bytes, BytesOfHex(text.substr(colon + 1)));
      }
      spec.texts = {std::move(bytes)};
      return spec;
    }
  }
  if (text[0] == '@') return ParseFileSpec(text);
  if (text[0] == '[') return ParseList(text);
  size_t dots = text.find("..");
  if (dots != std::string::npos) return ParseRange(text, dots);
  ArgSpec spec;
  spec.texts = {text};
  return spec;
}

Result<std::optional<uint64_t>> LengthOf(const ArgSpec& spec) {
  std::optional<uint64_t> none;
  if (spec.kind == ArgSpec::Kind::kRange) {
    WB_ASSIGN(uint64_t length, RangeLength(spec));
    return std::optional<uint64_t>(length);
  }
  bool many = spec.kind == ArgSpec::Kind::kList ||
              (spec.kind == ArgSpec::Kind::kBytes && spec.texts.size() > 1);
  return many ? std::optional<uint64_t>(spec.texts.size()) : none;
}

Result<v1::Column> BuildColumn(const ArgSpec& spec, v1::ValueType type, uint64_t instances) {
  WB_TRY(CheckType(spec, type));
  WB_ASSIGN(std::optional<uint64_t> length, LengthOf(spec));
  if (length) WB_TRY(CheckLength(*length, instances, spec.kind != ArgSpec::Kind::kRange));
  v1::Column column;
  switch (spec.kind) {
    case ArgSpec::Kind::kConstant: {
      WB_ASSIGN(*column.mutable_constant(), ParseValue(spec.texts[0], type));
      return column;
    }
    case ArgSpec::Kind::kList: return ListColumn(spec, type);
    case ArgSpec::Kind::kRange: {
      WB_ASSIGN(*column.mutable_range()->mutable_start(), ParseValue(spec.start, type));
      WB_ASSIGN(*column.mutable_range()->mutable_step(), ParseValue(spec.step, type));
      return column;
    }
    case ArgSpec::Kind::kBytes:
      for (const std::string& bytes : spec.texts) column.mutable_bytes()->add_values(bytes);
      return column;
  }
  return column;
}

Result<v1::Value> BuildConstant(const ArgSpec& spec, v1::ValueType type) {
  if (spec.kind != ArgSpec::Kind::kConstant) return Bad("A single value is needed here");
  WB_TRY(CheckType(spec, type));
  return ParseValue(spec.texts[0], type);
}

}  // namespace wb::cli
