// How long a call of a session takes, from the request to its last result, against a daemon that
// runs:
//   wb_session_bench ADDRESS MODULE.wasm INSTANCES CALLS PLACEMENT
// `fill` is called once, then `step` CALLS times, each after the one before it. What `step` returns
// is compared with the number of the call. A line for each call: milliseconds.

#include <chrono>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>

#include "client/client.h"
#include "client/services/jobs.h"
#include "client/services/modules.h"
#include "client/services/sessions.h"

namespace {

namespace v1 = wasmburst::v1;

// Results that returned `wanted`.
wb::Result<uint64_t> CallOnce(wb::Client& client, const std::string& session,
                              const std::string& function, int32_t wanted) {
  v1::CallSessionRequest request;
  request.set_name(session);
  request.add_steps()->mutable_call()->set_function(function);
  WB_ASSIGN(const v1::Job job, wb::CallSession(client, std::move(request)));
  v1::ReadResultsRequest reading;
  reading.set_name(job.name());
  reading.set_follow(true);
  uint64_t right = 0;
  WB_TRY(ReadResults(client, reading, [&](const v1::ReadResultsResponse& response) {
    for (const v1::InstanceResult& result : response.results())
      right += result.steps(0).values(0).i32() == wanted ? 1 : 0;
    return true;
  }));
  return right;
}

wb::Status Run(const std::string& address, const std::string& wasm, uint64_t instances, int calls,
               const std::string& placement) {
  WB_ASSIGN(const auto client, wb::Client::Connect(address, {}));
  v1::Session asked;
  WB_ASSIGN(const v1::Module module, PushModule(*client, wasm));
  asked.set_module(module.name());
  asked.set_instances(instances);
  asked.set_placement(placement == "cpu"   ? v1::CPU
                      : placement == "gpu" ? v1::GPU
                                           : v1::INTERPRETER);
  WB_ASSIGN(const v1::Session session, wb::OpenSession(*client, asked));
  for (int call = 0; call <= calls; ++call) {
    const auto began = std::chrono::steady_clock::now();
    WB_ASSIGN(const uint64_t right,
              CallOnce(*client, session.name(), call == 0 ? "fill" : "step", call));
    const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - began;
    if (right != instances) {
      return wb::Status(wb::Reason::kInternal, std::to_string(right) + " results are right.");
    }
    if (call > 0) std::cout << took.count() << "\n";
  }
  return wb::CloseSession(*client, session.name());
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 6) {
    std::cerr << "usage: wb_session_bench ADDRESS MODULE.wasm INSTANCES CALLS PLACEMENT\n";
    return 2;
  }
  std::ifstream file(argv[2], std::ios::binary);
  const std::string wasm((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  const wb::Status status =
      Run(argv[1], wasm, std::strtoull(argv[3], nullptr, 10), std::atoi(argv[4]), argv[5]);
  if (!status.ok()) std::cerr << status.ToString() << "\n";
  return status.ok() ? 0 : 1;
}
