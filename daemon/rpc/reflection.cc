#include "daemon/rpc/reflection.h"

#include <grpcpp/support/server_callback.h>

#include <utility>

#include "grpc/reflection/v1/reflection.grpc.pb.h"

namespace wb {
namespace {

namespace v1 = grpc::reflection::v1;

// One message is under way at a time: read, answered, read again. gRPC calls these in turn.
class Stream
    : public grpc::ServerBidiReactor<v1::ServerReflectionRequest, v1::ServerReflectionResponse> {
 public:
  explicit Stream(const std::vector<std::string>& services) : services_(services) {
    StartRead(&request_);
  }

  void OnReadDone(bool ok) override {
    if (!ok) {
      Finish(grpc::Status::OK);
      return;
    }
    response_ = ReflectionAnswer(request_, services_);
    StartWrite(&response_);
  }

  void OnWriteDone(bool ok) override {
    if (ok) {
      StartRead(&request_);
    } else {
      Finish(grpc::Status::CANCELLED);
    }
  }

  void OnDone() override { delete this; }

 private:
  const std::vector<std::string>& services_;
  v1::ServerReflectionRequest request_;
  v1::ServerReflectionResponse response_;
};

class Service : public v1::ServerReflection::CallbackService {
 public:
  explicit Service(std::vector<std::string> services) : services_(std::move(services)) {}

  grpc::ServerBidiReactor<v1::ServerReflectionRequest, v1::ServerReflectionResponse>*
  ServerReflectionInfo(grpc::CallbackServerContext*) override {
    return new Stream(services_);
  }

 private:
  const std::vector<std::string> services_;
};

}  // namespace

std::unique_ptr<grpc::Service> MakeReflectionService(std::vector<std::string> services) {
  return std::make_unique<Service>(std::move(services));
}

}  // namespace wb
