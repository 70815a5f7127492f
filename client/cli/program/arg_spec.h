#pragma once

// What stands behind --arg, as a column or a constant.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "compiler/base/status.h"
#include "wasmburst/v1/program.pb.h"

namespace wb::cli {

// The forms, for --help.
extern const char* const kArgForms;

struct ArgSpec {
  enum class Kind : uint8_t { kConstant, kList, kRange, kBytes };
  Kind kind = Kind::kConstant;
  std::optional<wasmburst::v1::ValueType> type;  // if it was written
  std::vector<std::string> texts;  // kConstant: one; kList: values; kBytes: byte strings
  std::string start, end, step;    // kRange; the end is exclusive
  std::string name;                // of a column of a file; else empty
  std::string element;             // of `texts` that are elements: their type, "i32"; else empty
  std::vector<std::string> shown;  // what stands for `texts` before people; empty: they themselves
};

// Reads the files it names. INVALID_ARGUMENT, IO_ERROR.
Result<ArgSpec> ParseArgSpec(const std::string& text);

// "00fF" as two bytes. INVALID_ARGUMENT.
Result<std::string> BytesOfHex(const std::string& digits);

// Values it has; nullopt where it has one for all.
Result<std::optional<uint64_t>> LengthOf(const ArgSpec& spec);

// SIGNATURE_MISMATCH when it was written with another type; INVALID_ARGUMENT when there are fewer
// values than instances, or a list of more.
Result<wasmburst::v1::Column> BuildColumn(const ArgSpec& spec, wasmburst::v1::ValueType type,
                                          uint64_t instances);
Result<wasmburst::v1::Value> BuildConstant(const ArgSpec& spec, wasmburst::v1::ValueType type);

}  // namespace wb::cli
