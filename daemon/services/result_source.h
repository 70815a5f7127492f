#pragma once

// The two streams about a job: its results, and its changes.

#include <memory>
#include <string>

#include "daemon/rpc/rpc.h"
#include "daemon/store/job_intake.h"
#include "daemon/store/module_store.h"

namespace wb {

using ModuleStoreRef = std::shared_ptr<const ModuleStore>;

struct ResultReading {
  std::string job;        // id
  uint64_t position = 0;  // read what comes after it
  bool follow = false;
  ResultForm form = ResultForm::kWhole;
  bool may_acknowledge = true;  // a reader who took all of it does so
  size_t message_bytes = 1 << 20;
};

// Traps have names and lines as far as the modules are stored and tell them (trap_places.h).
//
// Messages: ReadResultsResponse; the last of an ended job carries the job. NOT_FOUND.
Result<std::unique_ptr<StreamSource>> ReadResultsOf(std::shared_ptr<JobIntake> intake,
                                                    ModuleStoreRef modules,
                                                    const ResultReading& reading,
                                                    std::function<void()> wake);
// Messages: RunJobResponse; the first carries the job, the others the results.
Result<std::unique_ptr<StreamSource>> RunAndReadResultsOf(std::shared_ptr<JobIntake> intake,
                                                          ModuleStoreRef modules,
                                                          const ResultReading& reading,
                                                          std::function<void()> wake);
// Messages: JobEvent, whenever the job's version is higher than `version`.
Result<std::unique_ptr<StreamSource>> WatchChangesOf(std::shared_ptr<JobIntake> intake,
                                                     const std::string& job, uint64_t version,
                                                     std::function<void()> wake);

}  // namespace wb
