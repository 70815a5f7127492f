#include "client/services/host_calls.h"

#include <algorithm>
#include <deque>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "client/connection.h"

namespace wb {
namespace {

namespace v1 = wasmburst::v1;

constexpr size_t kMostKept = size_t{64} << 20;
constexpr size_t kBatch = size_t{1} << 20;
// Of an answer: below the daemon's smallest sensible limit of a message.
constexpr size_t kLargestHostAnswer = size_t{8} << 20;

v1::HostAnswer ShortEnough(v1::HostAnswer answer) {
  const size_t bytes = answer.ByteSizeLong();
  if (bytes <= kLargestHostAnswer) return answer;
  v1::HostAnswer error;
  error.set_instance(answer.instance());
  error.set_number(answer.number());
  error.set_error("The answer has [" + std::to_string(bytes) + "] bytes; an answer has [" +
                  std::to_string(kLargestHostAnswer) + "] at most. Write less memory in one call.");
  return error;
}

// The daemon may not yet have seen the end of a stream that broke, and then refuses the next one.
bool MayPass(const Status& status, bool is_reopened) {
  return status.code() == Code::kUnavailable ||
         (is_reopened && status.code() == Code::kAlreadyExists);
}

// An answer came after its call had ended, by its timeout or with its instance. Others were taken.
bool IsOfLateAnswer(const Status& status) {
  const Detail answers{"field", "answers"};
  return status.reason() == Reason::kInvalidArgument &&
         std::count(status.details().begin(), status.details().end(), answers) > 0;
}

}  // namespace

struct HostCallService::Stream {
  explicit Stream(ClientConnection* connection) : call(connection) {}

  ClientConnection::Call call;
  std::unique_ptr<grpc::ClientReaderWriter<v1::ServeHostCallsRequest, v1::ServeHostCallsResponse>>
      messages;
  bool is_over = false;  // guarded by the service's mutex
};

HostCallService::HostCallService(Client& client, std::string job)
    : connection_(client.connection()), job_(std::move(job)), ledger_(kMostKept) {}

HostCallService::~HostCallService() = default;

void HostCallService::Answer(v1::HostAnswer answer) {
  answer = ShortEnough(std::move(answer));
  MutexLock lock(mutex_);
  if (ledger_.Put(std::move(answer))) changed_.NotifyAll();
}

void HostCallService::Stop() {
  MutexLock lock(mutex_);
  stopped_ = true;
  if (stream_ != nullptr) stream_->call.context.TryCancel();
}

bool HostCallService::IsStopped() {
  MutexLock lock(mutex_);
  return stopped_;
}

Status HostCallService::Run(const OnCall& on_call) {
  bool is_reopened = false;
  for (int attempt = 1;; ++attempt) {
    bool made_progress = false;
    Status status = RunStream(on_call, &made_progress);
    if (status.reason() == Reason::kJobTerminal || IsOfLateAnswer(status)) return {};
    if (made_progress) {
      attempt = 1;
      is_reopened = true;
    }
    const bool again = MayPass(status, is_reopened) && attempt < connection_.options.attempts;
    if (!again || IsStopped() || !connection_.Wait(connection_.Pause(attempt))) return status;
  }
}

Status HostCallService::RunStream(const OnCall& on_call, bool* made_progress) {
  Stream stream(&connection_);
  {
    MutexLock lock(mutex_);
    if (stopped_)
      return Status(Reason::kCancelled, "The calls of the job are not answered any more.");
    stream_ = &stream;
    stream.messages = connection_.jobs->ServeHostCalls(&stream.call.context);
  }
  std::thread writer([this, &stream] { WriteAnswers(stream); });
  ReadCalls(stream, on_call, made_progress);
  {
    MutexLock lock(mutex_);
    stream.is_over = true;
    changed_.NotifyAll();
  }
  writer.join();
  const grpc::Status status = stream.messages->Finish();
  MutexLock lock(mutex_);
  stream_ = nullptr;
  return FromGrpc(status, connection_.address);
}

void HostCallService::ReadCalls(Stream& stream, const OnCall& on_call, bool* made_progress) {
  const auto opened = std::chrono::steady_clock::now();
  v1::ServeHostCallsResponse message;
  while (stream.messages->Read(&message)) {
    const bool lasts = std::chrono::steady_clock::now() - opened > ClientConnection::kLongestPause;
    if (lasts || message.calls_size() > 0) *made_progress = true;
    for (const v1::HostCall& call : message.calls()) {
      bool is_new = false;
      {
        MutexLock lock(mutex_);
        is_new = ledger_.Take(call);
        if (!is_new) changed_.NotifyAll();
      }
      if (is_new) on_call(call);
    }
  }
}

// Answers that a failed write was given come again: the daemon sends their calls again.
void HostCallService::WriteAnswers(Stream& stream) {
  v1::ServeHostCallsRequest request;
  request.set_job(job_);
  while (stream.messages->Write(request)) {
    MutexLock lock(mutex_);
    while (!stream.is_over && !ledger_.has_answers()) changed_.Wait(mutex_);
    if (stream.is_over) return;
    request = ledger_.NextAnswers(kBatch);
  }
}

namespace {

// Calls on their way to the threads that answer them.
class CallQueue {
 public:
  void Add(const v1::HostCall& call) {
    MutexLock lock(mutex_);
    calls_.push_back(call);
    changed_.NotifyOne();
  }
  // What waits is dropped: its job has ended.
  void Close() {
    MutexLock lock(mutex_);
    is_closed_ = true;
    changed_.NotifyAll();
  }
  std::optional<v1::HostCall> Next() {  // nullopt: closed
    MutexLock lock(mutex_);
    while (!is_closed_ && calls_.empty()) changed_.Wait(mutex_);
    if (is_closed_) return std::nullopt;
    v1::HostCall call = std::move(calls_.front());
    calls_.pop_front();
    return call;
  }

 private:
  Mutex mutex_;
  CondVar changed_;
  std::deque<v1::HostCall> calls_ WB_GUARDED_BY(mutex_);
  bool is_closed_ WB_GUARDED_BY(mutex_) = false;
};

}  // namespace

Status ServeHostCalls(Client& client, const std::string& job, const AnswerHostCall& answer,
                      int threads) {
  HostCallService service(client, job);
  CallQueue queue;
  std::vector<std::thread> answering;
  for (int i = 0; i < std::max(threads, 1); ++i) {
    answering.emplace_back([&service, &queue, &answer] {
      while (const std::optional<v1::HostCall> call = queue.Next()) {
        v1::HostAnswer answered = answer(*call);
        answered.set_instance(call->instance());
        answered.set_number(call->number());
        service.Answer(std::move(answered));
      }
    });
  }
  Status status = service.Run([&queue](const v1::HostCall& call) { queue.Add(call); });
  queue.Close();
  for (std::thread& thread : answering) thread.join();
  return status;
}

}  // namespace wb
