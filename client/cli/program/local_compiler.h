#pragma once

// What the daemon answers about modules, by the programs that are installed beside the client:
// wasmburst-compile, and wasmburst-mslcheck for the check. Nothing is uploaded.

#include <google/protobuf/message.h>

#include <string>

#include "compiler/base/status.h"
#include "wasmburst/v1/modules.pb.h"

namespace wb::cli {

// Errors of the module are the daemon's own; NOT_FOUND where a program is not installed; IO_ERROR.
Result<wasmburst::v1::Module> InspectHere(const std::string& wasm);
// `request` has the module's bytes.
Result<wasmburst::v1::CompileModuleResponse> CompileHere(
    const wasmburst::v1::CompileModuleRequest& request);

// An answer of wasmburst-compile --json into `message`, or the error that it says. Pure.
Status ReadAnswer(const std::string& json, google::protobuf::Message* message);

}  // namespace wb::cli
