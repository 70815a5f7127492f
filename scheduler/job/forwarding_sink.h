#pragma once

// ForwardingSink: between a job and its sink. It passes everything on at once; what comes of it
// overrides the calls that it wants to hear.
//
// Threads: as a ResultSink.

#include <memory>
#include <utility>

#include "scheduler/job/job_progress.h"

namespace wb {

class ForwardingSink : public ResultSink {
 public:
  explicit ForwardingSink(std::shared_ptr<ResultSink> behind) : behind_(std::move(behind)) {}

  uint64_t Room() const override { return behind_->Room(); }
  uint64_t Reserve(uint64_t instances) override { return behind_->Reserve(instances); }
  void Release(uint64_t instances) override { behind_->Release(instances); }
  uint64_t WholeRoom() const override { return behind_->WholeRoom(); }
  uint64_t Widen(uint64_t instances) override { return behind_->Widen(instances); }
  void Narrow(uint64_t instances) override { behind_->Narrow(instances); }
  void OnResults(ResultBatch results) override { behind_->OnResults(std::move(results)); }
  void OnEnded(const EndedRange& range) override { behind_->OnEnded(range); }
  void OnProgress(const JobProgress& progress) override { behind_->OnProgress(progress); }
  void OnEnd(Status status, bool cancelled, const JobUsage& usage) override {
    behind_->OnEnd(std::move(status), cancelled, usage);
  }

 protected:
  ResultSink& behind() { return *behind_; }

 private:
  const std::shared_ptr<ResultSink> behind_;
};

}  // namespace wb
