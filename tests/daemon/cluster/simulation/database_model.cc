#include "tests/daemon/cluster/simulation/database_model.h"

#include <algorithm>
#include <utility>

namespace wb::test {
namespace {

// Of a commit, before it has the job's row; the rest comes in a second message.
constexpr double kFirstPart = 0.3;

}  // namespace

void DatabaseModel::Run(Transaction transaction) {
  const auto shared = std::make_shared<Transaction>(std::move(transaction));
  ++counts_[static_cast<size_t>(shared->work)];
  events_.After(costs_.round_trip / 2, [this, shared] { Begin(shared); });
}

double DatabaseModel::Process(double seconds) {
  const auto first = std::min_element(free_at_.begin(), free_at_.end());
  *first = std::max(*first, events_.now()) + seconds;
  busy_ += seconds;
  return *first;
}

double DatabaseModel::Flush() {
  const double now = events_.now();
  const double begins = flushed_at_ - costs_.flush;
  if (now >= flushed_at_) {
    flushed_at_ = now + costs_.flush;
  } else if (now > begins) {  // that one is under way
    flushed_at_ += costs_.flush;
  }
  return flushed_at_;
}

void DatabaseModel::Take(Lock* lock, std::function<void()> then) {
  if (std::exchange(lock->is_held, true)) {
    lock->waiting.push_back(std::move(then));
  } else {
    then();
  }
}

// Each who waits looks whether it is its turn.
void DatabaseModel::PassOn(Lock* lock, double each) {
  if (lock->waiting.empty()) {
    lock->is_held = false;
    return;
  }
  const double until = Process(each * static_cast<double>(lock->waiting.size()));
  events_.At(until, [next = std::move(lock->waiting.front())] { next(); });
  lock->waiting.pop_front();
}

void DatabaseModel::Begin(const Shared& transaction) {
  double seconds = costs_.work[static_cast<size_t>(transaction->work)] +
                   costs_.host_row * static_cast<double>(transaction->rows);
  if (transaction->work == DatabaseWork::kCommit) seconds *= kFirstPart;
  events_.At(Process(seconds), [this, transaction] {
    switch (transaction->work) {
      case DatabaseWork::kCommit:
        return Take(&rows_[transaction->job], [this, transaction] { Commit(transaction); });
      case DatabaseWork::kNews: return Take(&news_, [this, transaction] { Tell(transaction); });
      default: return Answer(transaction);
    }
  });
}

void DatabaseModel::Commit(const Shared& transaction) {
  events_.After(costs_.round_trip, [this, transaction] {
    const double seconds = costs_.work[static_cast<size_t>(transaction->work)] * (1 - kFirstPart) +
                           costs_.byte * static_cast<double>(transaction->bytes);
    events_.At(Process(seconds), [this, transaction] {
      events_.At(Flush(), [this, transaction] {
        PassOn(&rows_[transaction->job], costs_.row_waiter);
        Answer(transaction);
      });
    });
  });
}

void DatabaseModel::Tell(const Shared& transaction) {
  events_.At(Process(costs_.listener * listeners_), [this, transaction] {
    PassOn(&news_, 0);
    Answer(transaction);
  });
}

void DatabaseModel::Answer(const Shared& transaction) {
  transaction->commits();
  events_.After(costs_.round_trip / 2, [transaction] { transaction->answers(); });
}

}  // namespace wb::test
