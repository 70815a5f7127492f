#pragma once

// The service Modules: WebAssembly that jobs run, and its texts for devices.

#include <string>
#include <string_view>

#include "client/client.h"
#include "client/services/upload_progress.h"
#include "compiler/base/status.h"
#include "wasmburst/v1/modules.pb.h"

namespace wb {

// In one message or in chunks, by size; `on_upload` hears of chunks.
Result<wasmburst::v1::Module> PushModule(Client& client, std::string_view wasm,
                                         bool validate_only = false,
                                         const OnUpload& on_upload = {});
Result<wasmburst::v1::Module> GetModule(Client& client, const std::string& name);
Result<wasmburst::v1::ListModulesResponse> ListModules(
    Client& client, const wasmburst::v1::ListModulesRequest& request);
Status DeleteModule(Client& client, const std::string& name);
Result<wasmburst::v1::ListPipelinesResponse> ListPipelines(
    Client& client, const wasmburst::v1::ListPipelinesRequest& request);
Result<wasmburst::v1::CompileModuleResponse> CompileModule(
    Client& client, const wasmburst::v1::CompileModuleRequest& request);

}  // namespace wb
