#include "tests/daemon/cluster/simulation/database_load.h"

#include <functional>

namespace wb::test {
namespace {

constexpr double kSettles = 1;  // seconds that are not counted
constexpr double kMeasures = 2;

}  // namespace

double PerSecond(const DatabaseCosts& costs, const DatabaseLoad& load) {
  EventQueue events;
  DatabaseModel database(&events, costs);
  database.set_listeners(load.listeners);
  uint64_t ended = 0;
  std::function<void(size_t)> next = [&](size_t client) {
    Transaction transaction = load.transaction;
    transaction.job = client % load.jobs;
    transaction.answers = [&, client] {
      if (events.now() > kSettles) ++ended;
      next(client);
    };
    database.Run(transaction);
  };
  for (size_t client = 0; client < load.clients; ++client) next(client);
  while (events.now() < kSettles + kMeasures) events.RunOne();
  return static_cast<double>(ended) / kMeasures;
}

}  // namespace wb::test
