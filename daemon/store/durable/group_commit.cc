#include "daemon/store/durable/group_commit.h"

#include <chrono>
#include <iterator>
#include <utility>

namespace wb {
namespace {

constexpr std::chrono::seconds kAgainAfter{1};
// Where nobody waits, what comes soon goes along: a flush of the disk costs the same for many
// results. A reader hears of them so much later.
constexpr std::chrono::milliseconds kGather{5};

// A caller waits for it, or a client for its job.
bool IsUrgent(const JobEvent& event) {
  return event.committed != nullptr || event.kind == JobEventKind::kEnded;
}

}  // namespace

GroupCommit::GroupCommit(Commit commit) : commit_(std::move(commit)), thread_([this] { Run(); }) {}

GroupCommit::~GroupCommit() {
  {
    const MutexLock lock(mutex_);
    stopping_ = true;
  }
  changed_.NotifyAll();
  thread_.join();
}

void GroupCommit::Post(JobEvent event) {
  bool wakes = false;
  {
    const MutexLock lock(mutex_);
    wakes = posted_.empty() || IsUrgent(event);
    urgent_ = urgent_ || IsUrgent(event);
    posted_.push_back(std::move(event));
  }
  if (wakes) changed_.NotifyOne();
}

Status GroupCommit::Flush(JobEvent event) {
  event.committed = std::make_shared<std::promise<Status>>();
  std::future<Status> committed = event.committed->get_future();
  Post(std::move(event));
  return committed.get();
}

// Those that were left stand in front.
bool GroupCommit::Take(std::vector<JobEvent>* events) {
  const MutexLock lock(mutex_);
  const auto again = std::chrono::steady_clock::now() + kAgainAfter;
  const bool is_retry = !events->empty();
  while (!stopping_ && (is_retry || posted_.empty())) {
    if (!is_retry) {
      changed_.Wait(mutex_);
    } else if (!changed_.WaitUntil(mutex_, again)) {
      break;
    }
  }
  const auto gathered = std::chrono::steady_clock::now() + kGather;
  while (!stopping_ && !urgent_ && changed_.WaitUntil(mutex_, gathered)) {
  }
  urgent_ = false;
  events->insert(events->end(), std::make_move_iterator(posted_.begin()),
                 std::make_move_iterator(posted_.end()));
  posted_.clear();
  return !events->empty();
}

void GroupCommit::Run() {
  std::vector<JobEvent> events;
  while (Take(&events)) {
    const size_t before = events.size();
    commit_(&events);
    const MutexLock lock(mutex_);
    // What the disk does not take now is lost with the process, as after a crash.
    if (stopping_ && events.size() == before) break;
  }
  for (const JobEvent& event : events) {
    if (event.committed == nullptr) continue;
    event.committed->set_value(Status(Reason::kDraining, "The daemon is shutting down."));
  }
}

}  // namespace wb
