#pragma once

// StateLife: what a daemon does to its state folder, step by step by chance: jobs, results, tokens,
// owners, modules, orders, restarts. It keeps what was promised, and when, and says what a disk
// after a power loss lacks of it.

#include <memory>
#include <set>
#include <string>
#include <vector>

#include "compiler/base/digest.h"
#include "daemon/database/blob_folder.h"
#include "daemon/database/registry.h"
#include "daemon/database/sqlite_store.h"
#include "daemon/store/durable/job_changes.h"
#include "tests/daemon/disk/simulated_disk.h"

namespace wb::test {

inline constexpr const char* kStateFolder = "state";

// What is open of a state folder.
struct OpenState {
  std::unique_ptr<SqliteStore> store;
  std::unique_ptr<Registry> registry;
  std::unique_ptr<BlobFolder> modules;
};
Result<OpenState> OpenStateOn(const SimulatedDisk& disk);

// All rows, blocks and their bytes, tokens, owners and cordons, as a text.
std::string DumpOf(const OpenState& state);

class StateLife {
 public:
  StateLife(SimulatedDisk* disk, uint64_t seed) : disk_(*disk), chance_(seed) {}
  Status Start();
  Status Step();

  // What is wrong with a disk of which `state` was opened after a cut when the record had `size`
  // entries; empty: nothing.
  std::string Problem(const OpenState& state, size_t size) const;
  size_t promises() const { return databases_.size() + blobs_.size(); }

 private:
  // Sizes of the record.
  struct Promise {
    size_t begun = 0;
    size_t kept = SIZE_MAX;  // from then on it is there
    bool IsOwed(size_t size) const { return kept <= size; }
    bool MayBe(size_t size) const { return begun < size || IsOwed(size); }
  };
  struct DatabasePromise : Promise {
    std::string dump;
  };
  struct BlobPromise : Promise {
    Digest digest;
    Bytes bytes;
    size_t removed = SIZE_MAX;  // from then on it may be gone
  };

  Status CommitEvents(std::vector<JobEvent> events);
  template <typename Change>
  Status ChangeDatabase(Change change);
  Status CreateJobs();
  Status AddResults();
  Status EndJob();
  Status ForgetJob();
  Status DropResults();
  Status ChangeTokens();
  Status ChangeOwners();
  Status PutModule();
  Status RemoveModule();
  Status GiveOrder();
  Status EmptyLog();
  Status Restart();
  std::string OneOf(const std::set<std::string>& names);
  Bytes SomeBytes(uint64_t most);
  std::string BlobProblem(const OpenState& state, size_t size) const;

  SimulatedDisk& disk_;
  Chance chance_;
  OpenState state_;
  JobChanges changes_{[](const std::string&) { return JobInfo(); }};
  std::set<std::string> open_;
  std::set<std::string> ended_;
  std::set<std::string> tokens_;
  std::map<std::string, uint64_t> results_;  // how many each job has
  uint64_t number_ = 0;
  std::vector<DatabasePromise> databases_;
  std::vector<BlobPromise> blobs_;
};

}  // namespace wb::test
