#include "scheduler/engine_host/connection.h"

#include <unistd.h>

#include <cerrno>
#include <utility>

#include "scheduler/engine_host/messages.h"
#include "scheduler/quoted.h"
#include "scheduler/system_error.h"

namespace wb {
namespace {

constexpr int kSendSeconds = 30;

}  // namespace

Result<std::shared_ptr<EngineConnection>> EngineConnection::Start(const Plan& plan,
                                                                  std::function<void()> on_lost) {
  auto [ours, theirs] = MakeSocketPair();
  if (!ours.ok()) {
    return SystemError("A socket pair for the engine host cannot be made", errno);
  }
  WB_ASSIGN(auto process,
            HostProcess::Start(
                plan.program,
                {plan.name, std::to_string(::getpid()), std::to_string(plan.niceness)}, theirs));
  return std::shared_ptr<EngineConnection>(
      new EngineConnection(plan, std::move(ours), std::move(process), std::move(on_lost)));
}

EngineConnection::EngineConnection(const Plan& plan, UniqueFd socket,
                                   std::unique_ptr<HostProcess> process,
                                   std::function<void()> on_lost)
    : name_(plan.name),
      channel_(std::move(socket)),
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

Status EngineConnection::Lost() const {
  const std::string host = "The engine host of the device " + Quoted(name_);
  if (!hung_) return Status(Reason::kDeviceLost, host + " ended unexpectedly.");
  return Status(Reason::kDeviceLost, host + " did not answer for " +
                                         Quoted(uint64_t(silence_.longest().count())) +
                                         " ms (engine.max_silence) and was ended.");
}

// Looks every second whether the host was heard. It says that it lives even while it works.
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
  if (hung_ && !closing_) Kill();
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
  Kill();
  bool tell = false;
  {
    MutexLock lock(mutex_);
    tell = !closing_;
  }
  // Before those who wait for an answer hear of it: they may try again, and must not get this
  // engine.
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
    calls_.emplace(request.id(), std::nullopt);
  }
  if (!channel_.Send(request.SerializeAsString(), fd)) Kill();
  return request.id();
}

Result<EngineConnection::Reply> EngineConnection::AwaitReply(uint64_t id,
                                                             std::chrono::nanoseconds patience) {
  std::optional<Reply> reply = TakeReply(id, std::chrono::steady_clock::now() + patience);
  if (!reply) {
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

void EngineConnection::Tell(const wasmburst::engine::Request& request) {
  if (!channel_.Send(request.SerializeAsString())) Kill();
}

}  // namespace wb
