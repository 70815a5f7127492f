#pragma once

// BookSink: the ResultSink of one job of a book in memory. Threads: as ResultSink; the book
// outlives it.

#include <string>
#include <utility>

#include "daemon/store/memory/locked_job_book.h"
#include "scheduler/job/job_progress.h"

namespace wb {

class BookSink : public ResultSink {
 public:
  BookSink(LockedJobBook* book, std::string id) : book_(*book), id_(std::move(id)) {}

  uint64_t Room() const override;
  uint64_t Reserve(uint64_t instances) override;
  void Release(uint64_t instances) override;
  uint64_t WholeRoom() const override;
  uint64_t Widen(uint64_t instances) override;
  void Narrow(uint64_t instances) override;
  void OnResults(ResultBatch results) override;
  void OnEnded(const EndedRange& range) override;
  void OnProgress(const JobProgress& progress) override;
  void OnEnd(Status status, bool cancelled, const JobUsage& usage) override;

 private:
  LockedJobBook& book_;
  const std::string id_;
};

}  // namespace wb
