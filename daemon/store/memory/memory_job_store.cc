#include "daemon/store/memory/memory_job_store.h"

#include <utility>

#include "daemon/store/memory/book_sink.h"

namespace wb {

MemoryJobStore::MemoryJobStore(const JobStoreLimits& limits, std::function<int64_t()> now,
                               std::shared_ptr<StoreMetrics> metrics)
    : BookedJobStore(limits, std::move(now), std::move(metrics)) {}

bool MemoryJobStore::Has(const std::string& id) const {
  return book_.Read([&](const JobBook& book) { return book.results().Of(id) != nullptr; });
}

Result<JobStore::Created> MemoryJobStore::Create(JobRequest request) {
  return book_.Change([&](JobBook& book) { return book.Create(std::move(request)); });
}

Result<JobInfo> MemoryJobStore::MarkCancelling(const std::string& id) {
  return book_.Change([&](JobBook& book) { return book.states().Cancel(id); });
}

Result<JobInfo> MemoryJobStore::MarkResumed(const std::string& id,
                                            std::optional<Placement> placement) {
  return book_.Change([&](JobBook& book) { return book.states().Resume(id, placement); });
}

Status MemoryJobStore::Delete(const std::string& id) {
  return book_.Change([&](JobBook& book) { return book.Delete(id); });
}

Result<std::string> MemoryJobStore::KeptRequest(const std::string& id) const {
  return book_.Read([&](const JobBook& book) { return book.KeptRequest(id); });
}

std::shared_ptr<ResultSink> MemoryJobStore::SinkOf(const std::string& id) {
  return std::make_shared<BookSink>(&book_, id);
}

Result<ResultRow> MemoryJobStore::Read(const std::string& id, uint64_t position,
                                       ReadBound bound) const {
  return book_.Read([&](const JobBook& book) { return book.results().Read(id, position, bound); });
}

void MemoryJobStore::Expire() {
  book_.Change([](JobBook& book) { book.Expire(); });
}

}  // namespace wb
