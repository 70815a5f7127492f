#pragma once

// A Jobs service on a socket of its own, whose ServeHostCalls a test scripts.

#include <grpcpp/security/server_credentials.h>
#include <grpcpp/server.h>
#include <grpcpp/server_builder.h>

#include <atomic>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "client/client.h"
#include "client/request_id.h"
#include "wasmburst/v1/jobs.grpc.pb.h"

namespace wb {

using HostCallStream = grpc::ServerReaderWriter<wasmburst::v1::ServeHostCallsResponse,
                                                wasmburst::v1::ServeHostCallsRequest>;

inline wasmburst::v1::HostCall HostCallOf(uint64_t instance, uint64_t number,
                                          const std::string& import = "env.f") {
  wasmburst::v1::HostCall call;
  call.set_instance(instance);
  call.set_number(number);
  call.set_import(import);
  call.add_args()->set_i32(static_cast<int32_t>(instance));
  return call;
}

inline void SendCalls(HostCallStream* stream, const std::vector<wasmburst::v1::HostCall>& calls) {
  wasmburst::v1::ServeHostCallsResponse message;
  for (const wasmburst::v1::HostCall& call : calls) *message.add_calls() = call;
  stream->Write(message);
}

// Reads until there are so many; fewer where the client has gone.
inline std::vector<wasmburst::v1::HostAnswer> ReadAnswers(HostCallStream* stream, size_t count) {
  std::vector<wasmburst::v1::HostAnswer> answers;
  wasmburst::v1::ServeHostCallsRequest request;
  while (answers.size() < count && stream->Read(&request)) {
    answers.insert(answers.end(), request.answers().begin(), request.answers().end());
  }
  return answers;
}

class FakeHostJobs : public wasmburst::v1::Jobs::Service {
 public:
  // `number`: of the stream, from 1 on.
  using Script = std::function<grpc::Status(int number, HostCallStream* stream)>;

  explicit FakeHostJobs(Script script) : script_(std::move(script)) {}

  grpc::Status ServeHostCalls(grpc::ServerContext*, HostCallStream* stream) override {
    wasmburst::v1::ServeHostCallsRequest first;
    if (!stream->Read(&first) || first.job() != "jobs/one") {
      return {grpc::StatusCode::NOT_FOUND, "There is no such job."};
    }
    return script_(++streams, stream);
  }
  std::atomic<int> streams{0};

 private:
  const Script script_;
};

// Services that are served while it lives.
class FakeServer {
 public:
  explicit FakeServer(const std::vector<grpc::Service*>& services)
      : address_("unix://" + std::filesystem::temp_directory_path().string() + "/wb_" +
                 NewRequestId()) {
    grpc::ServerBuilder builder;
    builder.AddListeningPort(address_, grpc::InsecureServerCredentials());
    for (grpc::Service* service : services) builder.RegisterService(service);
    server_ = builder.BuildAndStart();
  }
  const std::string& address() const { return address_; }
  std::unique_ptr<Client> NewClient() const {
    ClientOptions options;
    options.attempts = 3;
    options.first_pause = std::chrono::milliseconds(1);
    return Client::Connect(address_, options).value();
  }

 private:
  const std::string address_;
  std::unique_ptr<grpc::Server> server_;
};

}  // namespace wb
