#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "compiler/base/mutex.h"
#include "daemon/process/worker_pool.h"
#include "daemon/rpc/grpc_stream.h"

namespace wb {
namespace {

using SteadyClock = std::chrono::steady_clock;

constexpr std::chrono::seconds kFirstMessageWithin{30};

// States under the mutex: at most one `pumping` (a pool thread is with the session); a read and a
// write may be under way beside it. The call is finished by Pump alone, while no write is under
// way. After `finished` nothing is called any more.
class Session : public grpc::ServerBidiReactor<grpc::ByteBuffer, grpc::ByteBuffer>,
                public OpenStream,
                public std::enable_shared_from_this<Session> {
 public:
  Session(const SessionMethod& method, const Endpoint& endpoint,
          grpc::CallbackServerContext* context)
      : method_(method),
        runtime_(endpoint.runtime),
        record_(endpoint, method.path, *context),
        whose_(WhoseOf(context, record_.caller())) {}

  void Start() {
    self_ = shared_from_this();
    if (!record_.caller().ok()) return Refuse(record_.caller().status());
    runtime_->Register(weak_from_this());
    StartRead(&incoming_);
  }

  // Any thread: only posts.
  void Wake() {
    Note([] {});
  }

  void Tick(SteadyClock::time_point now) override {
    MutexLock lock(mutex_);
    if (!opened_ && now - begun_ > kFirstMessageWithin) {
      is_late_ = true;
    } else if (opened_ && !writing_ && now - last_message_ >= runtime_->heartbeat()) {
      heartbeat_due_ = true;
    } else {
      return;
    }
    PumpSoon();
  }

  void OnReadDone(bool ok) override {
    Note([this, ok]() WB_REQUIRES(mutex_) { (ok ? has_incoming_ : half_closed_) = true; });
  }

  void OnWriteDone(bool ok) override {
    Note([this, ok]() WB_REQUIRES(mutex_) {
      writing_ = false;
      cancelled_ = cancelled_ || !ok;
      last_message_ = SteadyClock::now();
    });
  }

  void OnCancel() override {
    Note([this]() WB_REQUIRES(mutex_) { cancelled_ = true; });
  }

  // Behind Finish, before which the session was dropped.
  void OnDone() override {
    std::shared_ptr<Session> self = std::move(self_);  // may delete this at the end
  }

 private:
  // What Pump is to look at.
  struct News {
    bool cancelled = false;
    bool is_late = false;
    bool has_incoming = false;
    bool half_closed = false;
    bool may_write = false;
    bool heartbeat_due = false;
  };

  // Before anything was read.
  void Refuse(const Status& status) {
    {
      MutexLock lock(mutex_);
      finished_ = true;
    }
    Finish(record_.End(status));
  }

  template <typename Change>
  void Note(Change&& change) {
    MutexLock lock(mutex_);
    change();
    PumpSoon();
  }

  void PumpSoon() WB_REQUIRES(mutex_) {
    if (finished_) return;
    if (pumping_) {
      woken_ = true;
      return;
    }
    pumping_ = true;
    runtime_->pools().stream->Post(whose_, [self = shared_from_this()] { self->Pump(); });
  }

  News TakeNews() {
    MutexLock lock(mutex_);
    woken_ = false;
    return {cancelled_,   is_late_,  std::exchange(has_incoming_, false),
            half_closed_, !writing_, std::exchange(heartbeat_due_, false)};
  }

  // On the pool; the only place that talks to the session.
  void Pump() {
    const News news = TakeNews();
    if (ending_) return Conclude(*ending_, news);
    if (news.cancelled) return Conclude(ClientGone(), news);
    if (news.is_late && session_ == nullptr && !news.has_incoming) {
      return Conclude(Status(Reason::kDeadlineExceeded,
                             "The stream's first message, which names the job, did not come in [" +
                                 std::to_string(kFirstMessageWithin.count()) + "] s."),
                      news);
    }
    if (news.has_incoming) {
      const Status taken = TakeIn();
      if (!taken.ok()) return Conclude(taken, news);
      StartRead(&incoming_);
    } else if (news.half_closed) {
      return Conclude(session_ == nullptr ? ClientGone() : session_->HalfClosed(), news);
    }
    if (news.may_write && session_ != nullptr) {
      StreamSource::Item item = session_->Next();
      if (item.message == nullptr && !item.ended && news.heartbeat_due) {
        item.message = session_->Heartbeat();
      }
      if (item.message != nullptr) {
        const Status sent = Send(*item.message);
        if (!sent.ok()) return Conclude(sent, news);
      }
      if (item.ended) ending_ = item.status;
      if (item.ended && item.message == nullptr) return Conclude(item.status, news);
    }
    GoOn();
  }

  Status TakeIn() {
    const MessagePtr message = method_.new_request();
    WB_TRY(ParseRequest(incoming_, message.get()));
    if (session_ == nullptr) {
      auto opened = method_.open(*message, *record_.caller(), [weak = weak_from_this()] {
        if (auto self = weak.lock()) self->Wake();
      });
      if (!opened.ok()) return opened.status();
      session_ = std::move(opened).value();
      MutexLock lock(mutex_);
      opened_ = true;
    }
    return session_->Add(*message);
  }

  Status Send(const Message& message) {
    outgoing_.Clear();
    WB_TRY(WriteMessage(message, &outgoing_));
    record_.CountMessage();
    {
      MutexLock lock(mutex_);
      writing_ = true;
    }
    StartWrite(&outgoing_);
    return {};
  }

  void GoOn() {
    MutexLock lock(mutex_);
    pumping_ = false;
    if (woken_) PumpSoon();
  }

  // At once, or when the write that is under way is done.
  void Conclude(const Status& status, const News& news) {
    if (!news.may_write) {
      ending_ = status;
      return GoOn();
    }
    {
      MutexLock lock(mutex_);
      finished_ = true;
    }
    session_.reset();  // its place is free at once
    Finish(record_.End(status));
  }

  const SessionMethod& method_;
  RpcRuntime* const runtime_;
  CallRecord record_;
  const Whose whose_;
  const SteadyClock::time_point begun_ = SteadyClock::now();
  std::shared_ptr<Session> self_;  // until OnDone
  grpc::ByteBuffer incoming_;
  grpc::ByteBuffer outgoing_;
  std::unique_ptr<StreamSession> session_;
  std::optional<Status> ending_;

  Mutex mutex_;
  bool opened_ WB_GUARDED_BY(mutex_) = false;
  bool pumping_ WB_GUARDED_BY(mutex_) = false;
  bool writing_ WB_GUARDED_BY(mutex_) = false;
  bool finished_ WB_GUARDED_BY(mutex_) = false;
  bool woken_ WB_GUARDED_BY(mutex_) = false;
  bool cancelled_ WB_GUARDED_BY(mutex_) = false;
  bool half_closed_ WB_GUARDED_BY(mutex_) = false;
  bool has_incoming_ WB_GUARDED_BY(mutex_) = false;
  bool heartbeat_due_ WB_GUARDED_BY(mutex_) = false;
  bool is_late_ WB_GUARDED_BY(mutex_) = false;
  SteadyClock::time_point last_message_ WB_GUARDED_BY(mutex_) = SteadyClock::now();
};

}  // namespace

grpc::ServerBidiReactor<grpc::ByteBuffer, grpc::ByteBuffer>* StartSession(
    const SessionMethod& method, const Endpoint& endpoint, grpc::CallbackServerContext* context) {
  auto stream = std::make_shared<Session>(method, endpoint, context);
  stream->Start();
  return stream.get();
}

}  // namespace wb
