#include "client/cli/program/input_columns.h"

#include <bit>
#include <unordered_map>

#include "client/cli/program/literal.h"

namespace wb::cli {
namespace {

namespace v1 = wasmburst::v1;

constexpr size_t kLongestFileName = 200;

Status BadColumns(const std::string& words) { return Status(Reason::kInvalidArgument, words); }

// As the daemon computes it: product and sum of doubles, each rounded. Volatile keeps a compiler
// from contracting the two into one.
double At(double start, double step, uint64_t instance) {
  const volatile double product = static_cast<double>(instance) * step;
  return start + product;
}

v1::Value RangeAt(const v1::Range& range, uint64_t instance) {
  const v1::Value& start = range.start();
  const v1::Value& step = range.step();
  v1::Value value;
  switch (start.kind_case()) {
    case v1::Value::kI32:
      value.set_i32(static_cast<int32_t>(static_cast<uint32_t>(start.i32()) +
                                         static_cast<uint32_t>(instance) *
                                             static_cast<uint32_t>(step.i32())));
      break;
    case v1::Value::kI64:
      value.set_i64(static_cast<int64_t>(static_cast<uint64_t>(start.i64()) +
                                         instance * static_cast<uint64_t>(step.i64())));
      break;
    case v1::Value::kF32Bits:
      value.set_f32_bits(std::bit_cast<uint32_t>(
          static_cast<float>(At(std::bit_cast<float>(start.f32_bits()),
                                std::bit_cast<float>(step.f32_bits()), instance))));
      break;
    default:
      value.set_f64_bits(
          std::bit_cast<uint64_t>(At(std::bit_cast<double>(start.f64_bits()),
                                     std::bit_cast<double>(step.f64_bits()), instance)));
  }
  return value;
}

std::string NamesOf(const std::vector<InputColumn>& columns) {
  std::string names;
  for (const InputColumn& column : columns)
    names += (names.empty() ? "[" : ", [") + column.name + "]";
  return names.empty() ? "none" : names;
}

Result<InputColumn> ReadInput(const std::string& text, uint64_t instances) {
  WB_ASSIGN(ArgSpec spec, ParseArgSpec(text));
  if (spec.name.empty()) return BadColumns("The column [" + text + "] is not @FILE.csv:NAME.");
  if (spec.texts.size() != instances) {
    return BadColumns("The column [" + text + "] has [" + std::to_string(spec.texts.size()) +
                      "] values for [" + std::to_string(instances) + "] instances.");
  }
  return InputColumn{spec.name, std::move(spec.texts), std::nullopt, false};
}

}  // namespace

std::string InputColumn::TextAt(uint64_t instance) const {
  if (range) return ValueText(RangeAt(*range, instance));
  if (texts.empty()) return "";
  return texts.size() == 1 ? texts[0] : instance < texts.size() ? texts[instance] : "";
}

InputColumn ShownInput(std::string name, const ArgSpec& spec, const v1::Column& column) {
  InputColumn input;
  input.name = std::move(name);
  if (spec.kind == ArgSpec::Kind::kRange) {
    input.range = column.range();
  } else {
    input.texts = spec.shown.empty() ? spec.texts : spec.shown;
    input.paths = spec.kind == ArgSpec::Kind::kBytes && !spec.shown.empty();
  }
  return input;
}

Result<std::vector<InputColumn>> ChooseInputs(const std::vector<std::string>& wanted,
                                              const std::vector<InputColumn>& known,
                                              uint64_t instances) {
  std::vector<InputColumn> chosen;
  for (const std::string& text : wanted) {
    if (text.starts_with("@")) {
      WB_ASSIGN(InputColumn column, ReadInput(text, instances));
      chosen.push_back(std::move(column));
      continue;
    }
    const InputColumn* found = nullptr;
    for (const InputColumn& column : known) {
      if (column.name == text && found == nullptr) found = &column;
    }
    if (found == nullptr) {
      return BadColumns("The job has no column [" + text + "] to show; it has " + NamesOf(known) +
                        "; @FILE.csv:NAME shows another.");
    }
    chosen.push_back(*found);
  }
  return chosen;
}

std::string FileNameAt(const InputColumn& column, uint64_t instance) {
  const std::string text = column.TextAt(instance);
  const size_t slash = column.paths ? text.rfind('/') : std::string::npos;
  return slash == std::string::npos ? text : text.substr(slash + 1);
}

Status CheckFileNames(const InputColumn& column, uint64_t instances) {
  std::unordered_map<std::string, uint64_t> first;
  for (uint64_t i = 0; i < instances; ++i) {
    std::string name = FileNameAt(column, i);
    const std::string of =
        " of instance [" + std::to_string(i) + "] in column [" + column.name + "]";
    const bool places = name.empty() || name == "." || name == ".." ||
                        name.find('/') != std::string::npos || name.find('\0') != std::string::npos;
    if (places || name.size() > kLongestFileName) {
      return BadColumns(
          "The text [" + name.substr(0, kLongestFileName) + "]" + of +
          " cannot name a file: it is empty, has a slash, is [.] or [..], or is longer than [" +
          std::to_string(kLongestFileName) + "] bytes.");
    }
    const auto [at, fresh] = first.try_emplace(std::move(name), i);
    if (!fresh) {
      return BadColumns("The file name [" + at->first + "]" + of + " is that of instance [" +
                        std::to_string(at->second) + "] too; choose a column whose texts differ.");
    }
  }
  return {};
}

}  // namespace wb::cli
