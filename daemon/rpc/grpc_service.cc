#include "daemon/rpc/grpc_service.h"

#include <grpcpp/impl/codegen/rpc_service_method.h>
#include <grpcpp/impl/codegen/server_callback_handlers.h>
#include <grpcpp/impl/service_type.h>

#include <utility>

#include "daemon/process/worker_pool.h"
#include "daemon/rpc/grpc_stream.h"

namespace wb {
namespace {

using grpc::ByteBuffer;
using grpc::CallbackServerContext;
using grpc::internal::RpcMethod;

class TableService : public grpc::Service {
 public:
  TableService(std::shared_ptr<const MethodTable> table, Endpoint endpoint)
      : table_(std::move(table)), endpoint_(std::move(endpoint)) {
    int index = 0;
    for (const UnaryMethod& method : table_->unary) AddUnary(index++, method);
    for (const ServerStreamMethod& method : table_->server_streams) AddStream(index++, method);
    for (const ClientStreamMethod& method : table_->client_streams) AddUpload(index++, method);
    for (const SessionMethod& method : table_->sessions) AddSession(index++, method);
  }

 private:
  // gRPC keeps the pointer to the path; the table lives as long as the service.
  void Add(const std::string& path, RpcMethod::RpcType type) {
    AddMethod(new grpc::internal::RpcServiceMethod(path.c_str(), type, nullptr));
  }

  void AddUnary(int index, const UnaryMethod& method) {
    Add(method.path, RpcMethod::NORMAL_RPC);
    MarkMethodRawCallback(
        index, new grpc::internal::CallbackUnaryHandler<ByteBuffer, ByteBuffer>(
                   [this, &method](CallbackServerContext* context, const ByteBuffer* request,
                                   ByteBuffer* response) {
                     return CallUnary(method, context, request, response);
                   }));
  }

  void AddStream(int index, const ServerStreamMethod& method) {
    Add(method.path, RpcMethod::SERVER_STREAMING);
    MarkMethodRawCallback(
        index, new grpc::internal::CallbackServerStreamingHandler<ByteBuffer, ByteBuffer>(
                   [this, &method](CallbackServerContext* context, const ByteBuffer* request) {
                     return StartServerStream(method, endpoint_, context, *request);
                   }));
  }

  void AddUpload(int index, const ClientStreamMethod& method) {
    Add(method.path, RpcMethod::CLIENT_STREAMING);
    MarkMethodRawCallback(
        index, new grpc::internal::CallbackClientStreamingHandler<ByteBuffer, ByteBuffer>(
                   [this, &method](CallbackServerContext* context, ByteBuffer* response) {
                     return StartClientStream(method, endpoint_, context, response);
                   }));
  }

  void AddSession(int index, const SessionMethod& method) {
    Add(method.path, RpcMethod::BIDI_STREAMING);
    MarkMethodRawCallback(index, new grpc::internal::CallbackBidiHandler<ByteBuffer, ByteBuffer>(
                                     [this, &method](CallbackServerContext* context) {
                                       return StartSession(method, endpoint_, context);
                                     }));
  }

  // Its client may have gone while it waited.
  static Status Answer(const UnaryMethod& method, const CallbackServerContext& context,
                       const CallRecord& record, const ByteBuffer& request, ByteBuffer* response) {
    const Call call = {*record.caller(), [&context] { return HasLeft(context); }, record.trace()};
    if (call.is_unwanted()) return ClientGone();
    MessagePtr message = method.new_request();
    WB_TRY(ParseRequest(request, message.get()));
    WB_ASSIGN(MessagePtr answer, method.handle(*message, call));
    return WriteMessage(*answer, response);
  }

  // The context, request and response live until the reactor has finished.
  grpc::ServerUnaryReactor* CallUnary(const UnaryMethod& method, CallbackServerContext* context,
                                      const ByteBuffer* request, ByteBuffer* response) {
    auto record = std::make_shared<CallRecord>(endpoint_, method.path, *context);
    grpc::ServerUnaryReactor* reactor = context->DefaultReactor();
    if (!record->caller().ok()) {
      reactor->Finish(record->End(record->caller().status()));
      return reactor;
    }
    auto run = [&method, context, record, reactor, request, response] {
      reactor->Finish(record->End(Answer(method, *context, *record, *request, response)));
    };
    WorkerPool* pool = PoolFor(endpoint_.runtime->pools(), method.run_on, request->Length());
    if (pool == nullptr) {
      run();
    } else if (!pool->TryPost(WhoseOf(context, record->caller()), run)) {
      reactor->Finish(record->End(NoTurnLeft()));
    }
    return reactor;
  }

  const std::shared_ptr<const MethodTable> table_;
  const Endpoint endpoint_;
};

}  // namespace

std::unique_ptr<grpc::Service> MakeGrpcService(std::shared_ptr<const MethodTable> table,
                                               Endpoint endpoint) {
  return std::make_unique<TableService>(std::move(table), std::move(endpoint));
}

}  // namespace wb
