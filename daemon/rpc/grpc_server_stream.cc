#include <grpc/grpc.h>
#include <grpcpp/alarm.h>

#include <memory>
#include <optional>
#include <utility>

#include "compiler/base/mutex.h"
#include "daemon/process/worker_pool.h"
#include "daemon/rpc/grpc_stream.h"

namespace wb {
namespace {

using SteadyClock = std::chrono::steady_clock;

Status TooSlow(const PaceRule& rule) {
  return Status(
      Reason::kDeadlineExceeded,
      "The client took the stream too slowly for the place that it holds: " + WordsOf(rule) + ".");
}

// States under the mutex: at most one of `pumping` (a pool thread asks the source) and `writing`
// (a message is under way) is set; what clears one looks at `woken` and goes on. After
// `finished` nothing is called any more.
class ServerStream : public grpc::ServerWriteReactor<grpc::ByteBuffer>,
                     public OpenStream,
                     public std::enable_shared_from_this<ServerStream> {
 public:
  ServerStream(const ServerStreamMethod& method, const Endpoint& endpoint,
               grpc::CallbackServerContext* context)
      : method_(method),
        runtime_(endpoint.runtime),
        context_(context),
        record_(endpoint, method.path, *context),
        whose_(WhoseOf(context, record_.caller())) {}

  // The request is parsed on a pool as that of a unary call is, and waits its turn there.
  void Start(const grpc::ByteBuffer& request) {
    self_ = shared_from_this();
    if (!record_.caller().ok()) return End(record_.caller().status());
    request_bytes_ = request;  // shares the bytes
    runtime_->Register(weak_from_this());
    WorkerPool* pool = PoolFor(runtime_->pools(), RunOn::kPool, request.Length());
    if (!pool->TryPost(whose_, [self = shared_from_this()] { self->Begin(); })) End(NoTurnLeft());
  }

  // Any thread: only posts.
  void Wake() {
    {
      MutexLock lock(mutex_);
      if (finished_) return;
      woken_ = true;
      if (!ClaimPump()) return;
    }
    PostPump();
  }

  void Tick(SteadyClock::time_point now) override {
    if (CutIfTooSlow(now)) return;
    {
      MutexLock lock(mutex_);
      if (finished_ || writing_ || now - last_message_ < runtime_->heartbeat()) return;
      heartbeat_due_ = true;
      woken_ = true;
      if (!ClaimPump()) return;
    }
    PostPump();
  }

  void OnWriteDone(bool ok) override {
    {
      MutexLock lock(mutex_);
      writing_ = false;
      cancelled_ = cancelled_ || !ok;
      last_message_ = SteadyClock::now();
      if (pace_) pace_->End(outgoing_.Length(), last_message_);
      woken_ = true;
      resting_ = rest_ > std::chrono::nanoseconds(0);
      if (resting_) SetAlarm();
      if (!ClaimPump()) return;
    }
    PostPump();
  }

  void OnCancel() override {
    const std::shared_ptr<ServerStream> self = shared_from_this();  // OnDone may come meanwhile
    if (ClaimTurn()) {
      request_bytes_.Clear();
      return End(ClientGone());
    }
    {
      MutexLock lock(mutex_);
      cancelled_ = true;
      woken_ = true;
      if (!ClaimPump()) return;
    }
    PostPump();
  }

  void OnDone() override {
    std::shared_ptr<ServerStream> self = std::move(self_);  // may delete this at the end
    bool delivered = false;
    {
      MutexLock lock(mutex_);
      delivered = ended_ok_ && !cancelled_;
    }
    if (delivered && source_ != nullptr) source_->Delivered();
    source_.reset();
  }

 private:
  // True, once: the caller opens the source, or ends the call before that.
  bool ClaimTurn() {
    MutexLock lock(mutex_);
    return std::exchange(awaits_turn_, false);
  }

  // True: its client does not take what is on its way, and the call was cut.
  bool CutIfTooSlow(SteadyClock::time_point now) {
    grpc_call* call = nullptr;
    Status status;
    {
      MutexLock lock(mutex_);
      if (!writing_ || cut_ || !pace_ || !pace_->IsTooSlow(now)) return false;
      status = TooSlow(pace_->rule());
      cut_ = status;
      call = context_->c_call();  // there until the write is done
      grpc_call_ref(call);
    }
    CutCall(call, status);
    return true;
  }

  // Its turn has come. A client that left before has ended the call.
  void Begin() {
    if (ClaimTurn()) Pump();
  }

  void SetAlarm() WB_REQUIRES(mutex_) {
    const auto until = std::chrono::system_clock::now() +
                       std::chrono::duration_cast<std::chrono::system_clock::duration>(rest_);
    alarm_ = std::make_unique<grpc::Alarm>();
    alarm_->Set(until, [weak = weak_from_this()](bool) {
      if (auto self = weak.lock()) self->EndRest();
    });
  }

  void EndRest() {
    {
      MutexLock lock(mutex_);
      resting_ = false;
      if (!ClaimPump()) return;
    }
    PostPump();
  }

  // True: the caller now has `pumping_`, and posts once it has let go of the mutex.
  bool ClaimPump() WB_REQUIRES(mutex_) {
    if (pumping_ || writing_ || finished_ || !woken_) return false;
    if (resting_ && !cancelled_) return false;
    pumping_ = true;
    woken_ = false;
    return true;
  }

  // After ClaimPump, which also keeps this object: only Pump ends the call.
  void PostPump() {
    runtime_->pools().stream->Post(whose_, [self = shared_from_this()] { self->Pump(); });
  }

  // On the pool; the only place that talks to the source and to StartWrite, and, once the source
  // may be open, to Finish.
  void Pump() {
    bool cancelled = false;
    bool heartbeat = false;
    Status end;
    {
      MutexLock lock(mutex_);
      cancelled = cancelled_;
      if (cancelled) end = cut_ ? *cut_ : ClientGone();
      heartbeat = std::exchange(heartbeat_due_, false);
    }
    if (cancelled) return End(end);
    StreamSource::Item item = Ask();
    if (item.message == nullptr && !item.ended && heartbeat) item.message = source_->Heartbeat();
    if (item.message != nullptr) return Send(item);
    if (item.ended) return End(item.status);
    {
      MutexLock lock(mutex_);
      pumping_ = false;
      if (!ClaimPump()) return;
    }
    PostPump();
  }

  StreamSource::Item Ask() {
    if (source_ == nullptr) {
      const MessagePtr request = method_.new_request();
      const Status parsed = ParseRequest(request_bytes_, request.get());
      request_bytes_.Clear();
      if (!parsed.ok()) return {nullptr, true, parsed};
      const Call call{*record_.caller(), {}, record_.trace()};
      auto opened = method_.open(*request, call, [weak = weak_from_this()] {
        if (auto self = weak.lock()) self->Wake();
      });
      if (!opened.ok()) return {nullptr, true, opened.status()};
      source_ = std::move(opened).value();
    }
    return source_->Next();
  }

  // The last message goes with the end: a client of a short stream waits for one packet, not for
  // two.
  void Send(const StreamSource::Item& item) {
    outgoing_.Clear();
    Status written = WriteMessage(*item.message, &outgoing_);
    if (!written.ok()) return End(written);
    record_.CountMessage();
    if (item.ended) {
      Close(item.status);
      return StartWriteAndFinish(&outgoing_, {}, record_.End(item.status));
    }
    {
      MutexLock lock(mutex_);
      pumping_ = false;
      writing_ = true;
      rest_ = source_->Rest();
      if (const std::optional<PaceRule> rule = source_->Pace(); rule && !pace_)
        pace_.emplace(*rule);
      if (pace_) pace_->Begin(SteadyClock::now());
    }
    StartWrite(&outgoing_);
  }

  void End(const Status& status) {
    Close(status);
    Finish(record_.End(status));
  }

  void Close(const Status& status) {
    MutexLock lock(mutex_);
    pumping_ = false;
    awaits_turn_ = false;
    finished_ = true;
    ended_ok_ = status.ok();
  }

  const ServerStreamMethod& method_;
  RpcRuntime* const runtime_;
  grpc::CallbackServerContext* const context_;  // until OnDone
  CallRecord record_;
  const Whose whose_;
  std::shared_ptr<ServerStream> self_;  // until OnDone
  grpc::ByteBuffer request_bytes_;      // until the source is opened
  std::unique_ptr<StreamSource> source_;
  grpc::ByteBuffer outgoing_;

  Mutex mutex_;
  bool pumping_ WB_GUARDED_BY(mutex_) = true;  // from the start: the source is opened first
  bool awaits_turn_ WB_GUARDED_BY(mutex_) = true;
  bool writing_ WB_GUARDED_BY(mutex_) = false;
  bool finished_ WB_GUARDED_BY(mutex_) = false;
  bool woken_ WB_GUARDED_BY(mutex_) = false;
  bool cancelled_ WB_GUARDED_BY(mutex_) = false;
  bool ended_ok_ WB_GUARDED_BY(mutex_) = false;
  bool heartbeat_due_ WB_GUARDED_BY(mutex_) = false;
  std::optional<SendingPace> pace_ WB_GUARDED_BY(mutex_);
  std::optional<Status> cut_ WB_GUARDED_BY(mutex_);  // the call was cut with it
  bool resting_ WB_GUARDED_BY(mutex_) = false;       // StreamSource::Rest, after a message
  std::chrono::nanoseconds rest_ WB_GUARDED_BY(mutex_){};
  std::unique_ptr<grpc::Alarm> alarm_ WB_GUARDED_BY(mutex_);  // that ends it
  SteadyClock::time_point last_message_ WB_GUARDED_BY(mutex_) = SteadyClock::now();
};

}  // namespace

grpc::ServerWriteReactor<grpc::ByteBuffer>* StartServerStream(const ServerStreamMethod& method,
                                                              const Endpoint& endpoint,
                                                              grpc::CallbackServerContext* context,
                                                              const grpc::ByteBuffer& request) {
  auto stream = std::make_shared<ServerStream>(method, endpoint, context);
  stream->Start(request);
  return stream.get();
}

}  // namespace wb
