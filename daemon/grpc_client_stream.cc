#include <utility>

#include "daemon/grpc_stream.h"
#include "daemon/worker_pool.h"

namespace wb {
namespace {

class ClientStream : public grpc::ServerReadReactor<grpc::ByteBuffer> {
 public:
  ClientStream(const ClientStreamMethod& method, RpcRuntime* runtime,
               const grpc::CallbackServerContext& context, grpc::ByteBuffer* response)
      : method_(method),
        runtime_(runtime),
        record_(runtime, method.path, context),
        response_(response) {
    auto opened = method_.open();
    if (!opened.ok()) {
      Finish(record_.End(opened.status()));
      return;
    }
    target_ = std::move(opened).value();
    StartRead(&incoming_);
  }

  void OnReadDone(bool ok) override {
    if (!ok) {  // the client has sent everything, or is gone: then the answer reaches nobody
      runtime_->pool()->Post([this] { Answer(); });
      return;
    }
    MessagePtr message = method_.new_request();
    Status status = ParseRequest(incoming_, message.get());
    if (status.ok()) status = target_->Add(*message);
    if (!status.ok()) {
      target_.reset();
      Finish(record_.End(status));
      return;
    }
    StartRead(&incoming_);
  }

  void OnDone() override { delete this; }

 private:
  void Answer() {
    Result<MessagePtr> answer = target_->Finish();
    Status status = answer.status();
    if (status.ok()) status = WriteMessage(*answer.value(), response_);
    target_.reset();
    Finish(record_.End(status));
  }

  const ClientStreamMethod& method_;
  RpcRuntime* const runtime_;
  CallRecord record_;
  grpc::ByteBuffer* const response_;
  grpc::ByteBuffer incoming_;
  std::unique_ptr<StreamTarget> target_;
};

}  // namespace

grpc::ServerReadReactor<grpc::ByteBuffer>* StartClientStream(
    const ClientStreamMethod& method, RpcRuntime* runtime,
    const grpc::CallbackServerContext& context, grpc::ByteBuffer* response) {
  return new ClientStream(method, runtime, context, response);
}

}  // namespace wb
