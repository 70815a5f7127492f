#include "client/client.h"

#include <random>
#include <utility>

#include "client/connection.h"
#include "client/result_columns.h"

namespace wb {
namespace {

namespace v1 = wasmburst::v1;

constexpr size_t kWasmChunk = 1 << 20;
constexpr size_t kLargestUnaryModule = 8 << 20;  // below the daemon's smallest sensible limit

grpc::Status UploadInChunks(v1::Modules::Stub& modules, grpc::ClientContext* context,
                            std::string_view wasm, bool validate_only,
                            const Client::OnUpload& on_upload, v1::Module* module) {
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

// The daemon takes a stream that was read to its end for acknowledged. Before its end it needs to
// be told where a job may wait for it, or where much is held for it.
bool EndAcknowledges(const v1::ReadResultsResponse& message, uint64_t owed) {
  constexpr uint64_t kMostOwed = uint64_t{1} << 20;
  const v1::Counts& counts = message.counts();
  const bool all_ended = message.has_counts() && counts.finished() == counts.instances();
  return message.has_job() || (all_ended && owed < kMostOwed);
}

}  // namespace

Client::Client(std::unique_ptr<ClientConnection> connection) : connection_(std::move(connection)) {}

Client::~Client() = default;

Result<std::unique_ptr<Client>> Client::Connect(const std::string& address,
                                                const ClientOptions& options) {
  WB_ASSIGN(ClientTransport transport, ClientTransport::Create(address, options));
  auto connection = std::make_unique<ClientConnection>(address, options, std::move(transport));
  return std::unique_ptr<Client>(new Client(std::move(connection)));
}

Result<v1::Module> Client::PushModule(std::string_view wasm, bool validate_only,
                                      const OnUpload& on_upload) {
  if (wasm.size() <= kLargestUnaryModule) {
    v1::CreateModuleRequest request;
    request.set_wasm(std::string(wasm));
    request.set_validate_only(validate_only);
    return connection_->Unary(*connection_->modules, &v1::Modules::Stub::CreateModule, request);
  }
  v1::Module module;
  WB_TRY(connection_->Retry([&](grpc::ClientContext* context) {
    return UploadInChunks(*connection_->modules, context, wasm, validate_only, on_upload, &module);
  }));
  return module;
}

Result<v1::Module> Client::GetModule(const std::string& name) {
  v1::GetModuleRequest request;
  request.set_name(name);
  return connection_->Unary(*connection_->modules, &v1::Modules::Stub::GetModule, request);
}

Result<v1::ListModulesResponse> Client::ListModules(const v1::ListModulesRequest& request) {
  return connection_->Unary(*connection_->modules, &v1::Modules::Stub::ListModules, request);
}

Result<v1::ListPipelinesResponse> Client::ListPipelines(const v1::ListPipelinesRequest& request) {
  return connection_->Unary(*connection_->modules, &v1::Modules::Stub::ListPipelines, request);
}

Status Client::DeleteModule(const std::string& name) {
  v1::DeleteModuleRequest request;
  request.set_name(name);
  return connection_->Unary(*connection_->modules, &v1::Modules::Stub::DeleteModule, request)
      .status();
}

Result<v1::CompileModuleResponse> Client::CompileModule(const v1::CompileModuleRequest& request) {
  return connection_->Unary(*connection_->modules, &v1::Modules::Stub::CompileModule, request);
}

Result<v1::Job> Client::GetJob(const std::string& name) {
  v1::GetJobRequest request;
  request.set_name(name);
  return connection_->Unary(*connection_->jobs, &v1::Jobs::Stub::GetJob, request);
}

Result<v1::ListJobsResponse> Client::ListJobs(const v1::ListJobsRequest& request) {
  return connection_->Unary(*connection_->jobs, &v1::Jobs::Stub::ListJobs, request);
}

Result<v1::Job> Client::CancelJob(const std::string& name) {
  v1::CancelJobRequest request;
  request.set_name(name);
  return connection_->Unary(*connection_->jobs, &v1::Jobs::Stub::CancelJob, request);
}

Result<v1::Job> Client::CheckpointJob(const std::string& name) {
  v1::CheckpointJobRequest request;
  request.set_name(name);
  return connection_->Unary(*connection_->jobs, &v1::Jobs::Stub::CheckpointJob, request);
}

Result<v1::Job> Client::ResumeJob(const v1::ResumeJobRequest& request) {
  return connection_->Unary(*connection_->jobs, &v1::Jobs::Stub::ResumeJob, request);
}

Status Client::DeleteJob(const std::string& name) {
  v1::DeleteJobRequest request;
  request.set_name(name);
  return connection_->Unary(*connection_->jobs, &v1::Jobs::Stub::DeleteJob, request).status();
}

Status Client::ReadResults(v1::ReadResultsRequest request, const OnResults& on_results) {
  uint64_t owed = 0;  // bytes of messages since the last acknowledgement
  Status damaged;
  const bool whole = !request.columns();
  request.set_columns(true);
  const auto deliver = [&](const v1::ReadResultsResponse& message) {
    if (!whole || message.columns_size() == 0) return on_results(message);
    const Result<v1::ReadResultsResponse> results = WholeResults(message);
    damaged = results.status();
    return results.ok() && on_results(*results);
  };
  const Status ended = connection_->Stream<v1::ReadResultsResponse>(
      [&](grpc::ClientContext* context) {
        return connection_->jobs->ReadResults(context, request);
      },
      [&](const v1::ReadResultsResponse& message) {
        if (!deliver(message)) return false;
        request.set_cursor(message.cursor());
        if (message.results_size() == 0 && message.columns_size() == 0) return true;
        owed += message.ByteSizeLong();
        if (EndAcknowledges(message, owed)) return true;
        connection_->Acknowledge(request.name(), message.cursor());
        owed = 0;
        return true;
      });
  return damaged.ok() ? ended : damaged;
}

Status Client::WatchJob(v1::WatchJobRequest request, const OnEvent& on_event) {
  return connection_->Stream<v1::JobEvent>(
      [&](grpc::ClientContext* context) { return connection_->jobs->WatchJob(context, request); },
      [&](const v1::JobEvent& event) {
        request.set_resume_token(event.resume_token());
        return on_event(event);
      });
}

Result<v1::ServerInfo> Client::GetServerInfo() {
  return connection_->Unary(*connection_->admin, &v1::Admin::Stub::GetServerInfo,
                            v1::GetServerInfoRequest());
}

Result<v1::ListDevicesResponse> Client::ListDevices() {
  return connection_->Unary(*connection_->admin, &v1::Admin::Stub::ListDevices,
                            v1::ListDevicesRequest());
}
Result<v1::ListDevicesResponse> Client::FindDevices() {
  return connection_->Unary(*connection_->admin, &v1::Admin::Stub::FindDevices,
                            v1::FindDevicesRequest());
}

Result<v1::ChangeDeviceResponse> Client::CordonDevice(const std::string& name) {
  v1::CordonDeviceRequest request;
  request.set_name(name);
  return connection_->Unary(*connection_->admin, &v1::Admin::Stub::CordonDevice, request);
}

Result<v1::ChangeDeviceResponse> Client::UncordonDevice(const std::string& name) {
  v1::UncordonDeviceRequest request;
  request.set_name(name);
  return connection_->Unary(*connection_->admin, &v1::Admin::Stub::UncordonDevice, request);
}

Result<v1::ChangeDeviceResponse> Client::DrainDevice(const std::string& name,
                                                     std::chrono::nanoseconds deadline) {
  v1::DrainDeviceRequest request;
  request.set_name(name);
  if (deadline.count() > 0) {
    request.mutable_deadline()->set_seconds(deadline.count() / 1'000'000'000);
    request.mutable_deadline()->set_nanos(static_cast<int32_t>(deadline.count() % 1'000'000'000));
  }
  return connection_->Unary(*connection_->admin, &v1::Admin::Stub::DrainDevice, request);
}

Status Client::WatchBursts(v1::WatchBurstsRequest request, const OnBursts& on_bursts) {
  return connection_->Stream<v1::BurstEvent>(
      [&](grpc::ClientContext* context) {
        return connection_->admin->WatchBursts(context, request);
      },
      [&](const v1::BurstEvent& event) {
        request.set_resume_token(event.resume_token());
        return on_bursts(event);
      });
}

Result<v1::ListCacheResponse> Client::ListCache() {
  return connection_->Unary(*connection_->admin, &v1::Admin::Stub::ListCache,
                            v1::ListCacheRequest());
}

Result<v1::PruneCacheResponse> Client::PruneCache(bool all) {
  v1::PruneCacheRequest request;
  request.set_all(all);
  return connection_->Unary(*connection_->admin, &v1::Admin::Stub::PruneCache, request);
}

void Client::Interrupt() { connection_->Interrupt(); }
Status Client::CheckGoesOn() const { return connection_->CheckGoesOn(); }

std::string NewRequestId() {
  std::random_device random;
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string id;
  for (int i = 0; i < 32; ++i) id += kDigits[random() & 15];
  return id;
}

}  // namespace wb
