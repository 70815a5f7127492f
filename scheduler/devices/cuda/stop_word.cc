#include "scheduler/devices/cuda/stop_word.h"

#include "compiler/abi/lane.h"
#include "compiler/base/check.h"

namespace wb {

constexpr uint64_t kControlBytes = abi::CONTROL_WORDS * 4;

Result<std::unique_ptr<StopWord>> StopWord::Create(CudaContextRef context) {
  std::unique_ptr<StopWord> word(new StopWord(std::move(context)));
  WB_TRY(word->context_->Enter());
  WB_ASSIGN(word->control_, CudaBuffer::Allocate(word->context_, kControlBytes));
  WB_CUDA_TRY(word->context_->driver(), host_alloc, (&word->one_, sizeof(uint32_t)));
  *static_cast<uint32_t*>(word->one_) = 1;
  WB_TRY(word->Clear());
  word->thread_ = std::thread([timer = word.get()] { timer->RunTimer(); });
  return word;
}

StopWord::~StopWord() {
  if (thread_.joinable()) {
    {
      MutexLock lock(mutex_);
      WB_CHECK(!launched_);
      closing_ = true;
    }
    timer_.NotifyAll();
    thread_.join();
  }
  if (context_->Enter().ok() && one_ != nullptr) context_->driver().host_free(one_);
}

void StopWord::Begin(std::chrono::nanoseconds max_duration) {
  const Clock::time_point now = Clock::now();
  MutexLock lock(mutex_);
  launched_ = true;
  deadline_ = max_duration >= Clock::time_point::max() - now ? Clock::time_point::max()
                                                             : now + max_duration;
  timer_.NotifyOne();
}

Status StopWord::End() {
  MutexLock lock(mutex_);
  launched_ = false;
  deadline_ = Clock::time_point::max();
  if (!is_set_) return {};
  is_set_ = false;
  WB_TRY(status_);
  return Clear();
}

Status StopWord::Clear() {
  const CudaDriver& driver = context_->driver();
  WB_CUDA_TRY(driver, memory_set, (address(), 0, kControlBytes, context_->stream()));
  WB_CUDA_TRY(driver, stream_synchronize, (context_->stream()));
  return {};
}

void StopWord::Stop() {
  MutexLock lock(mutex_);
  if (!launched_) return;
  deadline_ = Clock::time_point::min();
  timer_.NotifyOne();
}

// Waits for the copy with the lock held, so that none is under way when the next launch begins.
Status StopWord::Set() {
  const CudaDriver& driver = context_->driver();
  WB_TRY(context_->Enter());
  WB_CUDA_TRY(driver, copy_to_device,
              (address() + abi::CONTROL_STOP * 4, one_, sizeof(uint32_t), context_->stop_stream()));
  WB_CUDA_TRY(driver, stream_synchronize, (context_->stop_stream()));
  return {};
}

void StopWord::RunTimer() {
  MutexLock lock(mutex_);
  while (!closing_) {
    if (launched_ && Clock::now() >= deadline_) {
      deadline_ = Clock::time_point::max();
      is_set_ = true;
      status_ = Set();
    } else if (deadline_ == Clock::time_point::max()) {
      timer_.Wait(mutex_);
    } else {
      timer_.WaitUntil(mutex_, deadline_);
    }
  }
}

}  // namespace wb
