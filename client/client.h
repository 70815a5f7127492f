#pragma once

// Client: wasmburstd from C++. Messages are those of proto/wasmburst/v1; errors are Status, with
// the reasons of the daemon (compiler/base/errors.def).
//
// Calls block; every method may be called from any thread. Calls that fail with UNAVAILABLE are
// tried again with growing pauses (CreateJob is given a request id, so that it happens once);
// streams are resumed where they broke.

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "client/client_options.h"
#include "client/input_source.h"
#include "compiler/base/status.h"
#include "wasmburst/v1/admin.pb.h"
#include "wasmburst/v1/inputs.pb.h"
#include "wasmburst/v1/jobs.pb.h"
#include "wasmburst/v1/modules.pb.h"

namespace wb {

struct ClientConnection;

class Client {
 public:
  // "unix:///path", "tcp://host:port", "tls://host:port". Reads the files that `options` names, and
  // connects at the first call. INVALID_ARGUMENT; IO_ERROR names a file.
  static Result<std::unique_ptr<Client>> Connect(const std::string& address,
                                                 const ClientOptions& options);
  ~Client();

  // How much of what is uploaded has been sent, in bytes; called before each part and at the end.
  // Not at all for what the daemon has.
  using OnUpload = std::function<void(uint64_t sent, uint64_t of)>;
  // In one message or in chunks, by size; `on_upload` hears of chunks.
  Result<wasmburst::v1::Module> PushModule(std::string_view wasm, bool validate_only = false,
                                           const OnUpload& on_upload = {});
  Result<wasmburst::v1::Module> GetModule(const std::string& name);
  Result<wasmburst::v1::ListModulesResponse> ListModules(
      const wasmburst::v1::ListModulesRequest& request);
  Status DeleteModule(const std::string& name);
  Result<wasmburst::v1::ListPipelinesResponse> ListPipelines(
      const wasmburst::v1::ListPipelinesRequest& request);
  Result<wasmburst::v1::CompileModuleResponse> CompileModule(
      const wasmburst::v1::CompileModuleRequest& request);

  // `source` writes a Column message, which is never held as a whole: once for its digest and,
  // where the daemon has no input of that digest, once for each attempt to send it. IO_ERROR: the
  // bytes of two times differed; nothing is kept of them.
  Result<wasmburst::v1::Input> UploadInput(const InputSource& source,
                                           const OnUpload& on_upload = {});
  Result<wasmburst::v1::Input> GetInput(const std::string& name);
  Status DeleteInput(const std::string& name);

  // Fills in a request id if there is none. Of a job too long for a message the longest columns are
  // uploaded first, as inputs. LIMIT_TOO_HIGH names a column that is too long for an input.
  Result<wasmburst::v1::Job> CreateJob(wasmburst::v1::CreateJobRequest request,
                                       const OnUpload& on_upload = {});
  Result<wasmburst::v1::Job> GetJob(const std::string& name);
  Result<wasmburst::v1::ListJobsResponse> ListJobs(const wasmburst::v1::ListJobsRequest& request);
  Result<wasmburst::v1::Job> CancelJob(const std::string& name);
  Result<wasmburst::v1::Job> CheckpointJob(const std::string& name);
  Result<wasmburst::v1::Job> ResumeJob(const wasmburst::v1::ResumeJobRequest& request);
  Status DeleteJob(const std::string& name);

  // False stops the stream (the result is then ok).
  using OnResults = std::function<bool(const wasmburst::v1::ReadResultsResponse&)>;
  using OnEvent = std::function<bool(const wasmburst::v1::JobEvent&)>;
  // Every message once, across reconnections, until the daemon has ended the stream. Messages for
  // which `on_results` returned true are acknowledged: the daemon may drop their results. Results
  // come as columns where the request asks for these, else whole.
  Status ReadResults(wasmburst::v1::ReadResultsRequest request, const OnResults& on_results);
  Status WatchJob(wasmburst::v1::WatchJobRequest request, const OnEvent& on_event);

  Result<wasmburst::v1::ServerInfo> GetServerInfo();
  Result<wasmburst::v1::ListDevicesResponse> ListDevices();
  Result<wasmburst::v1::ListDevicesResponse> FindDevices();  // looks for new ones first
  // Names are "devices/cpu0". The deadline is for instances in seats; 0: none.
  Result<wasmburst::v1::ChangeDeviceResponse> CordonDevice(const std::string& name);
  Result<wasmburst::v1::ChangeDeviceResponse> UncordonDevice(const std::string& name);
  Result<wasmburst::v1::ChangeDeviceResponse> DrainDevice(const std::string& name,
                                                          std::chrono::nanoseconds deadline);
  // As WatchJob: every event once. After a break the daemon says how many bursts were missed.
  using OnBursts = std::function<bool(const wasmburst::v1::BurstEvent&)>;
  Status WatchBursts(wasmburst::v1::WatchBurstsRequest request, const OnBursts& on_bursts);
  Result<wasmburst::v1::ListCacheResponse> ListCache();
  Result<wasmburst::v1::PruneCacheResponse> PruneCache(bool all);

  // Ends all calls under way and to come with CANCELLED.
  void Interrupt();
  Status CheckGoesOn() const;  // CANCELLED once it was interrupted

  // For the other files of the library (host_calls.h, tenants.h).
  ClientConnection& connection() { return *connection_; }

 private:
  explicit Client(std::unique_ptr<ClientConnection> connection);
  std::unique_ptr<ClientConnection> connection_;
};

// A fresh random request id.
std::string NewRequestId();

}  // namespace wb
