#include "client/services/modules.h"

#include "client/connection.h"

namespace wb {
namespace {

namespace v1 = wasmburst::v1;

constexpr size_t kWasmChunk = 1 << 20;
constexpr size_t kLargestUnaryModule = 8 << 20;  // below the daemon's smallest sensible limit

grpc::Status UploadInChunks(v1::Modules::Stub& modules, grpc::ClientContext* context,
                            std::string_view wasm, bool validate_only, const OnUpload& on_upload,
                            v1::Module* module) {
  auto writer = modules.UploadModule(context, module);
  for (size_t at = 0; at < wasm.size(); at += kWasmChunk) {
    if (on_upload) on_upload(at, wasm.size());
    v1::UploadModuleRequest chunk;
    chunk.set_data(std::string(wasm.substr(at, kWasmChunk)));
    chunk.set_size_bytes(wasm.size());
    chunk.set_validate_only(validate_only);
    if (!writer->Write(chunk)) break;  // Finish says why
  }
  if (on_upload) on_upload(wasm.size(), wasm.size());
  writer->WritesDone();
  return writer->Finish();
}

}  // namespace

Result<v1::Module> PushModule(Client& client, std::string_view wasm, bool validate_only,
                              const OnUpload& on_upload) {
  ClientConnection& connection = client.connection();
  if (wasm.size() <= kLargestUnaryModule) {
    v1::CreateModuleRequest request;
    request.set_wasm(std::string(wasm));
    request.set_validate_only(validate_only);
    return connection.Unary(*connection.modules, &v1::Modules::Stub::CreateModule, request);
  }
  v1::Module module;
  WB_TRY(connection.Retry([&](grpc::ClientContext* context) {
    return UploadInChunks(*connection.modules, context, wasm, validate_only, on_upload, &module);
  }));
  return module;
}

Result<v1::Module> GetModule(Client& client, const std::string& name) {
  ClientConnection& connection = client.connection();
  v1::GetModuleRequest request;
  request.set_name(name);
  return connection.Unary(*connection.modules, &v1::Modules::Stub::GetModule, request);
}

Result<v1::ListModulesResponse> ListModules(Client& client, const v1::ListModulesRequest& request) {
  ClientConnection& connection = client.connection();
  return connection.Unary(*connection.modules, &v1::Modules::Stub::ListModules, request);
}

Result<v1::ListPipelinesResponse> ListPipelines(Client& client,
                                                const v1::ListPipelinesRequest& request) {
  ClientConnection& connection = client.connection();
  return connection.Unary(*connection.modules, &v1::Modules::Stub::ListPipelines, request);
}

Status DeleteModule(Client& client, const std::string& name) {
  ClientConnection& connection = client.connection();
  v1::DeleteModuleRequest request;
  request.set_name(name);
  return connection.Unary(*connection.modules, &v1::Modules::Stub::DeleteModule, request).status();
}

Result<v1::CompileModuleResponse> CompileModule(Client& client,
                                                const v1::CompileModuleRequest& request) {
  ClientConnection& connection = client.connection();
  return connection.Unary(*connection.modules, &v1::Modules::Stub::CompileModule, request);
}

}  // namespace wb
