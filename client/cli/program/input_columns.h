#pragma once

// A job's inputs as people see them beside its results (--columns), and as names of files. Pure.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "client/cli/program/arg_spec.h"
#include "compiler/base/status.h"
#include "wasmburst/v1/program.pb.h"

namespace wb::cli {

struct InputColumn {
  std::string name;
  std::vector<std::string> texts;             // as they were written; one: for all instances
  std::optional<wasmburst::v1::Range> range;  // instead of texts
  bool paths = false;                         // the texts name files

  std::string TextAt(uint64_t instance) const;
};

// `column` is what BuildColumn made of `spec`.
InputColumn ShownInput(std::string name, const ArgSpec& spec, const wasmburst::v1::Column& column);

// Those that are wanted, in that order: by name, or "@FILE:NAME", which is read for this alone and
// needs a value for each instance. INVALID_ARGUMENT names the known ones; IO_ERROR.
Result<std::vector<InputColumn>> ChooseInputs(const std::vector<std::string>& wanted,
                                              const std::vector<InputColumn>& known,
                                              uint64_t instances);

// The name of an instance's files: its text in `column`, of a path the last part.
std::string FileNameAt(const InputColumn& column, uint64_t instance);
// Whether FileNameAt gives each instance a name of its own that stays within a folder.
// INVALID_ARGUMENT with the instance.
Status CheckFileNames(const InputColumn& column, uint64_t instances);

}  // namespace wb::cli
