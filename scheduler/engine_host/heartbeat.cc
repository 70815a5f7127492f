#include "scheduler/engine_host/heartbeat.h"

#include <chrono>

#include "scheduler/engine_host/engine.pb.h"
#include "scheduler/engine_host/silence.h"

namespace wb {
namespace {

std::string Beat() {
  wasmburst::engine::Reply reply;
  reply.set_beat(true);
  return reply.SerializeAsString();
}

}  // namespace

Heartbeat::Heartbeat(Channel& channel)
    : channel_(channel), beat_(Beat()), thread_([this] { Run(); }) {}

Heartbeat::~Heartbeat() {
  {
    MutexLock lock(mutex_);
    ending_ = true;
  }
  ending_changed_.NotifyAll();
  thread_.join();
}

bool Heartbeat::AwaitNext() {
  const auto next = std::chrono::steady_clock::now() + Silence::kBeat;
  MutexLock lock(mutex_);
  bool in_time = true;
  while (!ending_ && in_time) in_time = ending_changed_.WaitUntil(mutex_, next);
  return !ending_;
}

void Heartbeat::Run() {
  while (channel_.Send(beat_) && AwaitNext()) {
  }
}

}  // namespace wb
