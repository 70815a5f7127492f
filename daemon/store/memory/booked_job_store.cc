#include "daemon/store/memory/booked_job_store.h"

namespace wb {

JobInfo BookedJobStore::Publish(const std::string& id) {
  return book_.Change([&](JobBook& book) { return book.states().Publish(id); });
}

void BookedJobStore::Discard(const std::string& id) {
  book_.Change([&](JobBook& book) { book.Discard(id); });
}

Result<JobInfo> BookedJobStore::Get(const std::string& id) const {
  return book_.Read([&](const JobBook& book) { return book.Get(id); });
}

JobPage BookedJobStore::List(const JobFilter& filter, const std::string& after,
                             size_t limit) const {
  return book_.Read([&](const JobBook& book) { return book.List(filter, after, limit); });
}

Result<JobInfo> BookedJobStore::MarkLeaving(const std::string& id) {
  return book_.Change([&](JobBook& book) -> Result<JobInfo> {
    WB_TRY(book.states().Leave(id));
    return book.Get(id);
  });
}

void BookedJobStore::StayOn(const std::string& id) {
  book_.Change([&](JobBook& book) { book.states().StayOn(id); });
}

Result<bool> BookedJobStore::Acknowledge(const std::string& id, uint64_t position) {
  return book_.Change([&](JobBook& book) { return book.results().Acknowledge(id, position); });
}

Result<std::shared_ptr<void>> BookedJobStore::Subscribe(const std::string& id,
                                                        std::function<void()> changed) {
  return book_.Change(
      [&](JobBook& book) { return book.results().Subscribe(id, std::move(changed)); });
}

JobStoreFigures BookedJobStore::Figures() const {
  return book_.Read([](const JobBook& book) { return book.Figures(); });
}

}  // namespace wb
