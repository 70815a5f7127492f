#pragma once

// PerfJobs: the module of a check and its jobs. All of it is deleted with this object, jobs that
// still run are cancelled first.

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "client/client.h"
#include "compiler/base/status.h"
#include "wasmburst/v1/jobs.pb.h"

namespace wb::cli {

class PerfJobs {
 public:
  // `cleaner`: a second connection to the same daemon, which an interrupt does not end.
  PerfJobs(Client* client, std::shared_ptr<Client> cleaner)
      : client_(*client), cleaner_(std::move(cleaner)) {}
  ~PerfJobs();
  PerfJobs(const PerfJobs&) = delete;
  PerfJobs& operator=(const PerfJobs&) = delete;

  // A module that no daemon has seen. It exports `one`, which returns its argument, and `work`,
  // which takes a number of rounds and 12 instructions or so for each.
  Result<std::string> PushFreshModule();

  struct Wanted {
    std::string module;
    std::string function;
    uint64_t instances = 1;
    int64_t argument = 0;  // of each
    wasmburst::v1::Placement placement = wasmburst::v1::AUTO;
  };
  Result<wasmburst::v1::Job> Create(const Wanted& wanted);
  // The job once it has ended well: every instance returned. Else why not.
  Result<wasmburst::v1::Job> AwaitEnd(const std::string& job);
  Result<wasmburst::v1::Job> Run(const Wanted& wanted);
  // Deletes an ended job now, so that a long check does not fill the store.
  void Forget(const std::string& job);

 private:
  Client& client_;
  const std::shared_ptr<Client> cleaner_;
  std::vector<std::string> modules_;
  std::vector<std::string> jobs_;
};

}  // namespace wb::cli
