#pragma once

// DatabaseModel: how long transactions of a cluster take in a PostgreSQL, in simulated time.
//
// They wait for what they share: the server's processors; the row of a job, from when a commit or a
// claim takes it until its end is on the disk; the disk, which takes all ends that have gathered at
// once; and the one lock under which all news (NOTIFY) go out. Claims and beats do not wait for the
// disk. Its costs are measured (bench/cluster_database.sh), and so is whether it behaves as the
// server does (bench/docs/cluster.md).

#include <array>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <vector>

#include "tests/daemon/cluster/simulation/event_queue.h"

namespace wb::test {

enum class DatabaseWork : uint8_t { kClaim, kCommit, kBeat, kHosts, kRead, kNews };
constexpr size_t kDatabaseWorks = 6;

// Seconds of one of the server's processors, where nothing else is said.
struct DatabaseCosts {
  uint32_t processors = 2;
  double round_trip = 0.0002;  // of the network
  double flush = 0.00006;      // of the disk
  std::array<double, kDatabaseWorks> work = {0.00016, 0.0012, 0.00008, 0.00008, 0.00008, 0.00008};
  double byte = 8.3e-9;          // of results in a commit
  double host_row = 1.6e-6;      // of a list of hosts, for each
  double row_waiter = 0.000016;  // to pass a job's row on, for each who waits for it
  double news = 0.00004;         // of news
  double listener = 0.0000034;   // for each who hears of it
};

struct Transaction {
  DatabaseWork work = DatabaseWork::kRead;
  size_t job = 0;
  bool takes_job = false;                 // its row
  bool tells = false;                     // news follow it
  uint64_t bytes = 0;                     // of results
  uint64_t rows = 0;                      // of hosts
  std::function<void()> commits = [] {};  // it takes effect
  std::function<void()> answers = [] {};  // the answer is there
};

class DatabaseModel {
 public:
  DatabaseModel(EventQueue* events, const DatabaseCosts& costs)
      : events_(*events), costs_(costs), free_at_(costs.processors, 0.0) {}

  void Run(Transaction transaction);
  void set_listeners(uint32_t listeners) { listeners_ = listeners; }

  uint64_t count(DatabaseWork work) const { return counts_[static_cast<size_t>(work)]; }
  double busy() const { return busy_; }  // seconds of all processors together

 private:
  using Shared = std::shared_ptr<Transaction>;
  struct Lock {
    bool is_held = false;
    std::deque<std::function<void()>> waiting;
  };

  double Process(double seconds);  // when they will have been worked off
  double Flush();                  // when what is to be flushed now will be on the disk
  void Take(Lock* lock, std::function<void()> then);
  void PassOn(Lock* lock, double each);
  void Begin(const Shared& transaction);
  void Commit(const Shared& transaction);  // with its job's row
  void Tell(const Shared& transaction);
  void Answer(const Shared& transaction);

  EventQueue& events_;
  const DatabaseCosts costs_;
  std::vector<double> free_at_;  // each processor
  double busy_ = 0;
  double flushed_at_ = 0;  // the end of the last flush that was ordered
  std::map<size_t, Lock> rows_;
  Lock news_;
  uint32_t listeners_ = 0;
  std::array<uint64_t, kDatabaseWorks> counts_{};
};

}  // namespace wb::test
