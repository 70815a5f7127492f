#include "daemon/page/bridge.h"

#include <grpcpp/client_context.h>
#include <grpcpp/generic/generic_stub.h>
#include <grpcpp/support/byte_buffer.h>

#include <algorithm>
#include <atomic>
#include <charconv>
#include <chrono>
#include <utility>

#include "compiler/base/mutex.h"
#include "daemon/page/method_json.h"
#include "daemon/rpc/grpc_call.h"

namespace wb {
namespace {

// One thread, so that however many pages are open their JSON takes no more than one processor.
// What waits for it is bounded by connections: a task for each at most.
constexpr size_t kJsonThreads = 1;
// More would leave too few connections for metrics and calls.
constexpr int kMostStreams = 8;
constexpr std::chrono::seconds kCallTime{110};  // below HttpLimits::call_time
constexpr uint64_t kMostRestMs = 10'000;
constexpr std::string_view kRest = "rest_ms=";

}  // namespace

struct Bridge::Shared {
  explicit Shared(Connect connect_) : connect(std::move(connect_)) {}
  const Connect connect;
  std::shared_ptr<grpc::Channel> channel;  // of the thread of `json`
  std::atomic<bool> lost{false};           // a call heard that its connection is no more
  WorkerPool json{kJsonThreads, 0};
  std::atomic<int> streams{0};
};

namespace {

using google::protobuf::Message;
using SharedRef = std::shared_ptr<Bridge::Shared>;

HttpAnswer Json(std::string body) { return {200, std::move(body), "application/json"}; }

// The library ends the process where metadata has other characters.
bool IsLegal(const std::string& value) {
  return value.size() <= 4096 &&
         std::all_of(value.begin(), value.end(), [](char c) { return c >= ' ' && c <= '~'; });
}

bool CopyMetadata(const HttpRequest& request, grpc::ClientContext* context) {
  for (const char* name : {"authorization", "traceparent"}) {
    const std::string& value = request.Header(name);
    if (!IsLegal(value)) return false;
    if (!value.empty()) context->AddMetadata(name, value);
  }
  return true;
}

std::chrono::nanoseconds RestOf(const HttpRequest& request) {
  const size_t at = ("&" + request.query).find("&" + std::string(kRest));
  if (at == std::string::npos) return {};
  uint64_t rest = 0;
  const std::string text = request.query.substr(at + kRest.size());
  std::from_chars(text.data(), text.data() + text.size(), rest);
  return std::chrono::milliseconds(std::min(rest, kMostRestMs));
}

std::string LineOf(const grpc::ByteBuffer& bytes, const Message& type) {
  const MessagePtr message(type.New());
  const Status status = ParseRequest(bytes, message.get());
  return status.ok() ? MessageLine(*message) : ErrorLine(status);
}

// On the thread of `json`. A connection is lost where the process stood still for a while; a
// service may say the same of itself, and then a new connection does no harm.
std::shared_ptr<grpc::GenericStub> StubOf(Bridge::Shared* shared) {
  std::shared_ptr<grpc::Channel>& channel = shared->channel;
  if (shared->lost.exchange(false) || channel == nullptr) channel = shared->connect();
  return channel == nullptr ? nullptr : std::make_shared<grpc::GenericStub>(channel);
}

void NoteEnd(const grpc::Status& status, Bridge::Shared* shared) {
  if (status.error_code() == grpc::StatusCode::UNAVAILABLE) shared->lost = true;
}

Status NoConnection() {
  return Status(Reason::kUnavailable, "The daemon is ending, or has no descriptors left.");
}

struct UnaryCall {
  std::shared_ptr<grpc::GenericStub> stub;
  grpc::ClientContext context;
  grpc::ByteBuffer request;
  grpc::ByteBuffer response;
};

// A stream under way. The reactor's functions come on gRPC's threads, Ask and Cancel on the HTTP
// server's. It keeps itself until gRPC is done with it; a hold keeps gRPC from being done before
// all messages were read, since it may hear of the end first.
class StreamCall : public grpc::ClientBidiReactor<grpc::ByteBuffer, grpc::ByteBuffer>,
                   public std::enable_shared_from_this<StreamCall> {
 public:
  StreamCall(SharedRef shared, const Message* type) : shared_(std::move(shared)), type_(type) {}
  ~StreamCall() override { --shared_->streams; }

  grpc::ClientContext* context() { return &context_; }

  void Start(std::shared_ptr<grpc::GenericStub> stub, const std::string& path,
             const grpc::ByteBuffer& request) {
    self_ = shared_from_this();
    stub_ = std::move(stub);
    request_ = request;  // shares the bytes
    stub_->PrepareBidiStreamingCall(&context_, path, {}, this);
    AddHold();
    StartWriteLast(&request_, {});
    StartCall();
  }

  void Ask(HttpParts::Take take) {
    {
      MutexLock lock(mutex_);
      take_ = std::move(take);
      if (!over_) {
        if (drained_) return;  // the end comes
        reading_ = true;
      }
    }
    if (IsOver()) return Deliver(EndLine(), true);
    StartRead(&message_);
  }

  void Cancel() {
    context_.TryCancel();
    Drain(false);
  }

  void OnReadDone(bool ok) override {
    if (!ok) return Drain(true);
    {
      MutexLock lock(mutex_);
      reading_ = false;
    }
    shared_->json.Post({}, [self = shared_from_this()] {
      self->Deliver(LineOf(self->message_, *self->type_), false);
    });
  }

  void OnDone(const grpc::Status& status) override {
    const std::shared_ptr<StreamCall> self = std::move(self_);  // may end with this
    NoteEnd(status, shared_.get());
    bool waits = false;
    {
      MutexLock lock(mutex_);
      over_ = true;
      status_ = status;
      waits = take_ != nullptr;
    }
    if (waits) Deliver(EndLine(), true);
  }

 private:
  bool IsOver() {
    MutexLock lock(mutex_);
    return over_;
  }

  std::string EndLine() {
    MutexLock lock(mutex_);
    return status_.ok() ? "{\"end\":true}\n" : ErrorLine(status_);
  }

  // No more messages are read. Where one is still being read, its end comes here again.
  void Drain(bool read_ended) {
    {
      MutexLock lock(mutex_);
      if (read_ended) reading_ = false;
      if (reading_ || std::exchange(drained_, true)) return;
    }
    RemoveHold();
  }

  void Deliver(std::string line, bool last) {
    HttpParts::Take take;
    {
      MutexLock lock(mutex_);
      take = std::exchange(take_, nullptr);
    }
    if (take) take({std::move(line), last});
  }

  const SharedRef shared_;
  const Message* const type_;
  std::shared_ptr<grpc::GenericStub> stub_;
  grpc::ClientContext context_;
  grpc::ByteBuffer request_;
  grpc::ByteBuffer message_;
  std::shared_ptr<StreamCall> self_;
  Mutex mutex_;
  HttpParts::Take take_ WB_GUARDED_BY(mutex_);
  bool reading_ WB_GUARDED_BY(mutex_) = false;
  bool drained_ WB_GUARDED_BY(mutex_) = false;
  bool over_ WB_GUARDED_BY(mutex_) = false;
  grpc::Status status_ WB_GUARDED_BY(mutex_);
};

// What the HTTP server asks; the call is cancelled with it.
class StreamParts : public HttpParts {
 public:
  explicit StreamParts(std::shared_ptr<StreamCall> call) : call_(std::move(call)) {}
  ~StreamParts() override { call_->Cancel(); }
  void Next(Take take) override { call_->Ask(std::move(take)); }

 private:
  const std::shared_ptr<StreamCall> call_;
};

struct Arrived {
  const BridgedMethod& method;
  const HttpRequest& request;
  grpc::ByteBuffer bytes;
  std::shared_ptr<grpc::GenericStub> stub;
};

void CallOnce(const SharedRef& shared, Arrived arrived, const HttpReply& reply) {
  const auto& [method, request, bytes, stub] = arrived;
  auto call = std::make_shared<UnaryCall>();
  if (!CopyMetadata(request, &call->context))
    return reply({400, "A header has other bytes than ASCII's.\n"});
  call->context.set_deadline(std::chrono::system_clock::now() + kCallTime);
  call->request = bytes;  // shares them
  call->stub = stub;
  call->stub->UnaryCall(
      &call->context, method.path, {}, &call->request, &call->response,
      [shared, call, reply, type = method.response](const grpc::Status& status) {
        NoteEnd(status, shared.get());
        if (!status.ok()) return reply(Json(ErrorLine(status)));
        shared->json.Post({}, [call, reply, type] { reply(Json(LineOf(call->response, *type))); });
      });
}

void CallStream(const SharedRef& shared, Arrived arrived, const HttpReply& reply) {
  const auto& [method, request, bytes, stub] = arrived;
  const bool too_many = ++shared->streams > kMostStreams;
  const auto call = std::make_shared<StreamCall>(shared, method.response);
  if (too_many) return reply(Json(ErrorLine(NoTurnLeft())));
  if (!CopyMetadata(request, call->context()))
    return reply({400, "A header has other bytes than ASCII's.\n"});
  call->Start(stub, method.path, bytes);
  HttpAnswer answer{200, "", "application/x-ndjson"};
  answer.parts = std::make_shared<StreamParts>(call);
  answer.rest = RestOf(request);
  reply(std::move(answer));
}

void CallMethod(const SharedRef& shared, const HttpRequest& request, const HttpReply& reply) {
  const Result<BridgedMethod> method =
      FindMethod(std::string_view(request.path).substr(kCallPath.size()));
  if (!method.ok()) return reply({404, method.status().message() + "\n"});
  const Result<MessagePtr> message = ReadJson(*method, request.body);
  if (!message.ok()) return reply(Json(ErrorLine(message.status())));
  grpc::ByteBuffer bytes;
  if (const Status status = WriteMessage(**message, &bytes); !status.ok()) {
    return reply(Json(ErrorLine(status)));
  }
  std::shared_ptr<grpc::GenericStub> stub = StubOf(shared.get());
  if (stub == nullptr) return reply(Json(ErrorLine(NoConnection())));
  (method->is_stream ? CallStream : CallOnce)(shared, {*method, request, bytes, std::move(stub)},
                                              reply);
}

}  // namespace

Bridge::Bridge(Connect connect) : shared_(std::make_shared<Shared>(std::move(connect))) {}

Bridge::~Bridge() { shared_->json.Stop(); }

void Bridge::Call(HttpRequest request, const HttpReply& reply) {
  const auto held = std::make_shared<const HttpRequest>(std::move(request));
  // The pool's tasks hold no reference to the pool: it would be the last one.
  const std::weak_ptr<Shared> weak = shared_;
  shared_->json.Post({}, [weak, held, reply] {
    if (const SharedRef shared = weak.lock()) CallMethod(shared, *held, reply);
  });
}

}  // namespace wb
