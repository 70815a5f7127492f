#include "bench/cluster/database_table.h"

#include <cstdint>
#include <cstdio>

#include "tests/daemon/cluster/simulation/database_load.h"

namespace wb::bench {
namespace {

using test::DatabaseWork;

struct Row {
  const char* name;
  DatabaseWork work;
  uint32_t clients;
  uint32_t jobs;
  uint64_t bytes;
  uint32_t listeners;
};

constexpr Row kRows[] = {{"claim", DatabaseWork::kClaim, 1, 1, 0, 0},
                         {"claim", DatabaseWork::kClaim, 64, 64, 0, 0},
                         {"commit_1k", DatabaseWork::kCommit, 1, 1, 1024, 0},
                         {"commit_1k", DatabaseWork::kCommit, 8, 1, 1024, 0},
                         {"commit_1k", DatabaseWork::kCommit, 64, 1, 1024, 0},
                         {"commit_1k", DatabaseWork::kCommit, 256, 1, 1024, 0},
                         {"commit_1k", DatabaseWork::kCommit, 64, 64, 1024, 0},
                         {"commit_64k", DatabaseWork::kCommit, 1, 1, 65536, 0},
                         {"commit_64k", DatabaseWork::kCommit, 64, 1, 65536, 0},
                         {"commit_64k", DatabaseWork::kCommit, 64, 64, 65536, 0},
                         {"notify", DatabaseWork::kNews, 64, 64, 0, 1},
                         {"notify", DatabaseWork::kNews, 64, 64, 0, 100},
                         {"beat", DatabaseWork::kBeat, 64, 64, 0, 0},
                         {"read", DatabaseWork::kRead, 64, 64, 0, 0},
                         {"hosts", DatabaseWork::kHosts, 64, 64, 0, 0}};

constexpr double kSocket = 0.00003;  // seconds of a round trip on one machine
constexpr uint64_t kHosts = 1000;

}  // namespace

void PrintDatabase(const test::DatabaseCosts& costs) {
  test::DatabaseCosts here = costs;
  here.round_trip = kSocket;
  std::printf("The modelled database on one machine: transactions a second\n");
  for (const Row& row : kRows) {
    test::DatabaseLoad load;
    load.transaction.work = row.work;
    load.transaction.bytes = row.bytes;
    load.transaction.rows = row.work == DatabaseWork::kHosts ? kHosts : 0;
    load.clients = row.clients;
    load.jobs = row.jobs;
    load.listeners = row.listeners;
    std::printf("%-14s %7u %5u %9u   %.0f\n", row.name, row.clients, row.jobs, row.listeners,
                PerSecond(here, load));
  }
  std::printf("\n");
}

}  // namespace wb::bench
