#include "scheduler/engine_host/connection.h"

#include <unistd.h>

#include <cerrno>
#include <utility>

#include "scheduler/base/quoted.h"
#include "scheduler/base/system_error.h"
#include "scheduler/engine_host/messages.h"

namespace wb {
namespace {

constexpr int kSendSeconds = 30;
// If a process has closed its socket because it ended, it is gone within this time.
constexpr std::chrono::milliseconds kEndTime{500};
constexpr std::chrono::milliseconds kEndLook{5};

std::string Milliseconds(std::chrono::nanoseconds time) {
  const auto count = std::chrono::duration_cast<std::chrono::milliseconds>(time).count();
  return Quoted(static_cast<uint64_t>(count)) + " ms";
}

}  // namespace

Result<std::shared_ptr<EngineConnection>> EngineConnection::Start(const Plan& plan,
                                                                  std::function<void()> on_lost) {
  auto [ours, theirs] = MakeSocketPair();
  if (!ours.ok()) {
    return SystemError("A socket pair for the engine host cannot be made", errno);
  }
  HostIsolation isolation = plan.isolation;
  std::optional<PrivateFolder> folder;
  if (isolation.isolation != Isolation::kOff && isolation.policy == SandboxPolicy::kBuilder) {
    WB_ASSIGN(folder, PrivateFolder::Create(""));
    isolation.folder = folder->path();
  }
  std::vector<std::string> words = {plan.name, std::to_string(::getpid()),
                                    std::to_string(plan.niceness)};
  for (std::string& word : WordsOf(isolation)) words.push_back(std::move(word));
  const auto inherits = isolation.isolation == Isolation::kOff ? HostProcess::Inherits::kAll
                                                               : HostProcess::Inherits::kLittle;
  WB_ASSIGN(auto process, HostProcess::Start(plan.program, words, theirs, inherits));
  return std::shared_ptr<EngineConnection>(new EngineConnection(
      plan, std::move(ours), std::move(folder), std::move(process), std::move(on_lost)));
}

EngineConnection::EngineConnection(const Plan& plan, UniqueFd socket,
                                   std::optional<PrivateFolder> folder,
                                   std::unique_ptr<HostProcess> process,
                                   std::function<void()> on_lost)
    : name_(plan.name),
      channel_(std::move(socket), plan.max_message_bytes),
      folder_(std::move(folder)),
      process_(std::move(process)),
      on_lost_(std::move(on_lost)),
      silence_(plan.max_silence) {
  channel_.SetSendTimeout(kSendSeconds);
  shown_silence_->longest_ms = plan.max_silence.count();
  listener_ = std::thread([this] { Listen(); });
  watcher_ = std::thread([this] { Watch(); });
}

EngineConnection::~EngineConnection() {
  {
    MutexLock lock(mutex_);
    closing_ = true;
  }
  over_.NotifyAll();
  Kill();
  listener_.join();
  watcher_.join();
}

void EngineConnection::Kill() {
  channel_.Shutdown();
  process_->Kill();
}

void EngineConnection::RecordWhy(std::string why) {
  MutexLock lock(mutex_);
  if (why_.empty()) why_ = std::move(why);
}

std::string EngineConnection::EndOfProcess(std::string otherwise) const {
  const auto until = std::chrono::steady_clock::now() + kEndTime;
  while (std::chrono::steady_clock::now() < until) {
    if (std::string end = process_->End(); !end.empty()) return end;
    std::this_thread::sleep_for(kEndLook);
  }
  return otherwise;
}

Status EngineConnection::Lost() const {
  return Status(Reason::kDeviceLost, "The engine host of the device " + Quoted(name_) + " " +
                                         (why_.empty() ? "ended" : why_) + ".");
}

// Looks every second whether the host was heard. A host says that it lives also while it works.
void EngineConnection::Watch() {
  MutexLock lock(mutex_);
  auto tick = std::chrono::steady_clock::now() + Silence::kTick;
  while (!closing_ && !lost_ && !hung_) {
    if (over_.WaitUntil(mutex_, tick)) continue;
    tick = std::chrono::steady_clock::now() + Silence::kTick;
    silence_.Tick(channel_.received());
    shown_silence_->ms = silence_.length().count();
    hung_ = silence_.IsOver();
  }
  if (!hung_ || closing_) return;
  if (why_.empty()) {
    why_ = "did not answer for " + Milliseconds(silence_.longest()) +
           " (engine.max_silence) and was ended";
  }
  Kill();
}

void EngineConnection::Listen() {
  while (std::optional<Channel::Message> message = channel_.Receive()) {
    Reply reply;
    if (!reply.ParseFromString(message->bytes)) break;
    {
      MutexLock lock(mutex_);
      const auto call = calls_.find(reply.id());
      if (call != calls_.end()) call->second = std::move(reply);
    }
    answered_.NotifyAll();
  }
  bool tell = false;
  bool is_known = false;
  {
    MutexLock lock(mutex_);
    tell = !closing_;
    is_known = closing_ || !why_.empty();
  }
  if (!is_known) RecordWhy(EndOfProcess("closed its line or wrote what is no message"));
  Kill();
  // Before the callers that wait for a reply get their error: they may try again, and must not get
  // this engine.
  if (tell && on_lost_) on_lost_();
  {
    MutexLock lock(mutex_);
    lost_ = true;
  }
  over_.NotifyAll();
  answered_.NotifyAll();
}

std::optional<EngineConnection::Reply> EngineConnection::TakeReply(
    uint64_t id, std::chrono::steady_clock::time_point until) {
  MutexLock lock(mutex_);
  bool in_time = true;
  while (!calls_[id] && !lost_ && in_time) in_time = answered_.WaitUntil(mutex_, until);
  std::optional<Reply> reply = std::move(calls_[id]);
  calls_.erase(id);
  return reply;
}

Result<uint64_t> EngineConnection::Ask(wasmburst::engine::Request request, int fd) {
  {
    MutexLock lock(mutex_);
    if (lost_) return Lost();
    request.set_id(next_id_++);
    WB_TRY(channel_.CheckFits(request.ByteSizeLong(),
                              "to the engine host of the device " + Quoted(name_)));
    calls_.emplace(request.id(), std::nullopt);
  }
  Send(request, fd);
  return request.id();
}

Result<EngineConnection::Reply> EngineConnection::AwaitReply(uint64_t id,
                                                             std::chrono::nanoseconds patience) {
  std::optional<Reply> reply = TakeReply(id, std::chrono::steady_clock::now() + patience);
  if (!reply) {
    RecordWhy("did not answer a request within " + Milliseconds(patience) + " and was ended");
    Kill();
    MutexLock lock(mutex_);
    return Lost();
  }
  if (reply->has_error()) return StatusOf(reply->error());
  return *std::move(reply);
}

Result<EngineConnection::Reply> EngineConnection::Call(wasmburst::engine::Request request,
                                                       std::chrono::nanoseconds patience, int fd) {
  WB_ASSIGN(const uint64_t id, Ask(std::move(request), fd));
  return AwaitReply(id, patience);
}

void EngineConnection::Tell(const wasmburst::engine::Request& request) { Send(request, -1); }

// If the host does not take the request, the listener finds the line closed, and its caller gets an
// error.
void EngineConnection::Send(const wasmburst::engine::Request& request, int fd) {
  if (channel_.Send(request.SerializeAsString(), fd)) return;
  RecordWhy(
      EndOfProcess("took no request for " + Quoted(uint64_t{kSendSeconds}) + " s and was ended"));
  Kill();
}

}  // namespace wb
