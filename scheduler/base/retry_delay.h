#pragma once

// RetryDelay: when a job on a device tries again after the machine lacked something for it. Pure.

#include <cstdint>

#include "scheduler/base/backoff.h"
#include "scheduler/base/clock.h"

namespace wb {

class RetryDelay {
 public:
  // The machine lacked something. False: that has happened too often in a row.
  bool Failed(TimePoint now) {
    until_ = now + backoff_.Next();
    return ++failures_ < Backoff::kMostTries;
  }
  // A launch has begun.
  void Succeeded() {
    failures_ = 0;
    backoff_.Reset();
  }
  TimePoint until() const { return until_; }

 private:
  Backoff backoff_;
  uint32_t failures_ = 0;  // in a row
  TimePoint until_{};
};

}  // namespace wb
