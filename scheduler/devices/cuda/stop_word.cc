#include "scheduler/devices/cuda/stop_word.h"

#include <utility>

#include "compiler/abi/lane.h"
#include "compiler/base/check.h"

namespace wb {

Result<std::unique_ptr<StopWord>> StopWord::Create(CudaContextRef context) {
  std::unique_ptr<StopWord> word(new StopWord(std::move(context)));
  WB_TRY(word->context_->Enter());
  WB_CUDA_TRY(word->context_->driver(), host_alloc, (&word->one_, sizeof(uint32_t)));
  *static_cast<uint32_t*>(word->one_) = 1;
  word->thread_ = std::thread([timer = word.get()] { timer->RunTimer(); });
  return word;
}

StopWord::~StopWord() {
  if (thread_.joinable()) {
    {
      MutexLock lock(mutex_);
      WB_CHECK(!armed_);
      closing_ = true;
    }
    timer_.NotifyAll();
    thread_.join();
  }
  if (context_->Enter().ok() && one_ != nullptr) context_->driver().host_free(one_);
}

void StopWord::Arm(uint64_t control, void* begin, std::chrono::nanoseconds max_duration) {
  const Clock::time_point now = Clock::now();
  MutexLock lock(mutex_);
  WB_CHECK(!armed_);
  armed_ = true;
  control_ = control;
  begin_ = begin;
  deadline_ = max_duration >= Clock::time_point::max() - now ? Clock::time_point::max()
                                                             : now + max_duration;
  timer_.NotifyOne();
}

Status StopWord::Disarm() {
  MutexLock lock(mutex_);
  armed_ = false;
  deadline_ = Clock::time_point::max();
  return std::exchange(status_, Status());
}

void StopWord::StopNow() {
  MutexLock lock(mutex_);
  if (!armed_) return;
  deadline_ = Clock::time_point::min();
  timer_.NotifyOne();
}

// The copy comes after the clearing of the words, which is before `begin_`. It is awaited with the
// lock held, so that no copy is under way when the launch is disarmed.
Status StopWord::Set() {
  const CudaDriver& driver = context_->driver();
  void* const stream = context_->stop_stream();
  WB_TRY(context_->Enter());
  WB_CUDA_TRY(driver, stream_wait_event, (stream, begin_, 0));
  WB_CUDA_TRY(driver, copy_to_device,
              (control_ + abi::CONTROL_STOP * 4, one_, sizeof(uint32_t), stream));
  WB_CUDA_TRY(driver, stream_synchronize, (stream));
  return {};
}

void StopWord::RunTimer() {
  MutexLock lock(mutex_);
  while (!closing_) {
    if (armed_ && Clock::now() >= deadline_) {
      deadline_ = Clock::time_point::max();
      status_ = Set();
    } else if (deadline_ == Clock::time_point::max()) {
      timer_.Wait(mutex_);
    } else {
      timer_.WaitUntil(mutex_, deadline_);
    }
  }
}

}  // namespace wb
