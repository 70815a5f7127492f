#include <utility>

#include "compiler/base/mutex.h"
#include "daemon/process/worker_pool.h"
#include "daemon/rpc/grpc_stream.h"
#include "daemon/rpc/stream_pace.h"

namespace wb {
namespace {

using SteadyClock = std::chrono::steady_clock;

// The thread that sets `finished_` finishes the call. A read may be under way then; it ends with
// the call.
class ClientStream : public grpc::ServerReadReactor<grpc::ByteBuffer>,
                     public OpenStream,
                     public std::enable_shared_from_this<ClientStream> {
 public:
  ClientStream(const ClientStreamMethod& method, const Endpoint& endpoint,
               grpc::CallbackServerContext* context, grpc::ByteBuffer* response)
      : method_(method),
        runtime_(endpoint.runtime),
        record_(endpoint, method.path, *context),
        whose_(WhoseOf(context, record_.caller())),
        response_(response) {}

  void Start() {
    self_ = shared_from_this();
    if (!record_.caller().ok()) return End(record_.caller().status());
    auto opened = method_.open(*record_.caller(), whose_);
    if (!opened.ok()) {
      End(opened.status());
      return;
    }
    target_ = std::move(opened).value();
    runtime_->Register(weak_from_this());
    StartRead(&incoming_);
  }

  void Tick(SteadyClock::time_point now) override {
    {
      MutexLock lock(mutex_);
      if (!reading_ || !pace_.IsTooSlow(now)) return;
      // In the same step, so that a message that comes now finds the call finished.
      reading_ = false;
      finished_ = true;
    }
    FinishWith(Status(Reason::kDeadlineExceeded,
                      "The upload paused or was slow: " + WordsOf(PaceRule()) + "."));
  }

  void OnReadDone(bool ok) override {
    {
      MutexLock lock(mutex_);
      if (finished_) return;
      reading_ = false;
    }
    // Each upload has one task on a pool at a time, and uploads are few.
    const RpcPools& pools = runtime_->pools();
    if (ok) {
      pools.upload->Post(whose_, [self = shared_from_this()] { self->TakePart(); });
    } else {  // the client has sent everything, or is gone: then the answer reaches no one
      pools.large->Post(whose_, [self = shared_from_this()] { self->Answer(); });
    }
  }

  // Behind Finish, before which the target was dropped.
  void OnDone() override {
    std::shared_ptr<ClientStream> self = std::move(self_);  // may delete this at the end
  }

 private:
  void TakePart() {
    MessagePtr message = method_.new_request();
    Status status = ParseRequest(incoming_, message.get());
    if (status.ok()) status = target_->Add(*message);
    if (!status.ok()) {
      End(status);
      return;
    }
    {
      MutexLock lock(mutex_);
      reading_ = true;
      pace_.Came(incoming_.Length(), SteadyClock::now());
    }
    StartRead(&incoming_);
  }

  void Answer() {
    Result<MessagePtr> answer = target_->Finish();
    Status status = answer.status();
    if (status.ok()) status = WriteMessage(*answer.value(), response_);
    End(status);
  }

  void End(const Status& status) {
    {
      MutexLock lock(mutex_);
      if (finished_) return;
      finished_ = true;
      reading_ = false;
    }
    FinishWith(status);
  }

  void FinishWith(const Status& status) {
    target_.reset();  // its place is free at once
    Finish(record_.End(status));
  }

  const ClientStreamMethod& method_;
  RpcRuntime* const runtime_;
  CallRecord record_;
  const Whose whose_;
  grpc::ByteBuffer* const response_;
  grpc::ByteBuffer incoming_;
  std::unique_ptr<StreamTarget> target_;  // of the thread that reads or answers
  std::shared_ptr<ClientStream> self_;    // until OnDone

  Mutex mutex_;
  bool reading_ WB_GUARDED_BY(mutex_) = true;
  bool finished_ WB_GUARDED_BY(mutex_) = false;
  StreamPace pace_ WB_GUARDED_BY(mutex_){SteadyClock::now()};
};

}  // namespace

grpc::ServerReadReactor<grpc::ByteBuffer>* StartClientStream(const ClientStreamMethod& method,
                                                             const Endpoint& endpoint,
                                                             grpc::CallbackServerContext* context,
                                                             grpc::ByteBuffer* response) {
  auto stream = std::make_shared<ClientStream>(method, endpoint, context, response);
  stream->Start();
  return stream.get();
}

}  // namespace wb
