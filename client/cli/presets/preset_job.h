#pragma once

// --call-as: a call by the convention of a compiler or a library, to a job's steps: room for each
// argument of bytes, the call, its result read, the room given back.

#include <vector>

#include "client/cli/presets/preset_arguments.h"
#include "client/cli/program/input_columns.h"
#include "compiler/base/status.h"
#include "wasmburst/v1/jobs.pb.h"
#include "wasmburst/v1/modules.pb.h"

namespace wb::cli {

// A linked module of the job that has no module yet is ArrayBytesModule (script_array.h).
// Adds to `inputs` what the arguments are called. INVALID_ARGUMENT, ENTRY_POINT_NOT_FOUND,
// SIGNATURE_MISMATCH, IO_ERROR.
Result<wasmburst::v1::Job> BuildPresetJob(const PresetOptions& options,
                                          const wasmburst::v1::Module& module,
                                          std::vector<InputColumn>* inputs);

// The half of the hash-wasm preset, whose functions share one buffer; preset_hash.cc.
Result<wasmburst::v1::Job> BuildHashJob(const PresetOptions& options,
                                        const wasmburst::v1::Module& module,
                                        std::vector<InputColumn>* inputs);

}  // namespace wb::cli
