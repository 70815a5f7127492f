#pragma once

// DaemonState: what the services of a daemon work on, opened at its start in the order in which
// each part needs those before it: the store and who owns what, traces, checkpoints, dumps,
// profiles, and what an earlier daemon or the others have left.
//
// Threads: one opens it. Then any, and Tick from one.

#include <memory>
#include <string>
#include <vector>

#include "daemon/config/config.h"
#include "daemon/daemon_parts.h"
#include "daemon/identity/token.h"
#include "daemon/opened_store.h"
#include "daemon/process/worker_pool.h"
#include "daemon/services/services.h"
#include "daemon/start_retry.h"
#include "daemon/traces/traces.h"

namespace wb {

class ClusterMember;
class JobProfiles;

class DaemonState {
 public:
  // All live longer than this, but for the table, which is used no more when calls have ended.
  DaemonState(const Config& config, Scheduler* scheduler, std::shared_ptr<MetricRegistry> metrics,
              TokenTable* token_table);
  ~DaemonState();

  // Takes what it needs of the parts. `listening`: addresses that clients are told. CONFIG_INVALID,
  // IO_ERROR, MACHINE_FAULT, CANCELLED as StartRetry's.
  Status Open(DaemonParts* parts, std::vector<std::string> listening);
  std::vector<MethodTable> OpenServices(SessionModules modules);  // once
  // Every second. What takes long is posted to the pool.
  void Tick(WorkerPool* pool);
  // Of jobs that go on in the next daemon.
  Scheduler::KeeperOf KeepersAtStop() const;

  const std::shared_ptr<ServiceContext>& context() const { return context_; }
  Traces* traces() const { return traces_.get(); }         // null: there are none
  ClusterMember* member() const { return member_.get(); }  // null: this daemon is alone

 private:
  void MakeContext();  // with the configuration, and what lies in memory alone
  // What outlives the daemon, if anything does.
  Status OpenStore(const DaemonParts& parts, const StartRetry& retry);
  Status LoadRegistry(const StartRetry& retry);
  // With all else that services know.
  void FillContext(DaemonParts* parts, std::vector<std::string> listening);
  Status StartTraces(ObserverRelay* observers);  // of calls and jobs, where they go anywhere
  Status OpenCheckpoints(const DaemonParts& parts);
  Status StartInspection(const DaemonParts& parts);
  Status OpenProfiles();
  Status Restore(const StartRetry& retry);
  Status Join();  // becomes one of the daemons that share the store
  MethodTable OpenSessions(SessionModules modules);

  const Config& config_;
  Scheduler* const scheduler_;
  const std::shared_ptr<MetricRegistry> metrics_;
  TokenTable* const token_table_;
  // From here on each is destroyed before those in front of it.
  OpenedStore opened_;
  std::unique_ptr<Traces> traces_;
  std::shared_ptr<ServiceContext> context_;
  std::shared_ptr<JobProfiles> profiles_;
  std::shared_ptr<SessionTable> sessions_;
  std::unique_ptr<ClusterMember> member_;
};

}  // namespace wb
