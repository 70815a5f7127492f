// The power is cut at any moment: what was promised is there, and all else is there whole or not at
// all. WASMBURST_POWER_CUTS=N: how many cuts; each has a number, from which all chance comes.

#include <gtest/gtest.h>

#include <cstdlib>
#include <memory>
#include <string>

#include "daemon/database/database.h"
#include "daemon/store/durable/durable_job_store.h"
#include "daemon/store/durable/state_check.h"
#include "tests/daemon/disk/state_life.h"

namespace wb::test {
namespace {

constexpr uint64_t kCutsOfALife = 10;
constexpr int kSteps = 20;

uint64_t CutsWanted() {
  const char* words = std::getenv("WASMBURST_POWER_CUTS");
  return words == nullptr ? 200 : std::strtoull(words, nullptr, 10);
}

DurableJobStore::Limits ManyResults() {
  DurableJobStore::Limits limits;
  limits.jobs = {10'000, {uint64_t{1} << 30, 0, uint64_t{1} << 30}, 1};
  limits.max_memory_bytes = 1 << 20;
  return limits;
}

// As a daemon that starts: each job goes on or is shown, with all results that it has.
std::string RestoreProblem(std::unique_ptr<SqliteStore> database) {
  DurableJobStore store(std::move(database), ManyResults(), [] { return int64_t{1}; });
  std::vector<LoadedJob> jobs;
  Status status = store.Load([&](LoadedJob job) { jobs.push_back(std::move(job)); });
  for (const LoadedJob& job : jobs) {
    JobRequest request;
    request.instances = 1'000'000;
    request.most_result_bytes = 10'000;
    const std::string& id = job.record.info.id;
    if (status.ok()) status = store.Restore(job, std::move(request)).status();
    uint64_t at = job.oldest;
    while (status.ok() && at < job.record.totals.counts.finished) {
      const Result<ResultRow> row = store.Read(id, at, 1 << 20);
      status = row.status();
      if (row.ok()) at = row->next;
    }
    if (!status.ok()) return id + " is not restored: " + status.message();
  }
  return status.message();
}

// It takes new work, which lasts.
std::string NewWorkProblem(const SimulatedDisk& disk, OpenState* state, uint64_t seed) {
  StoreChange change;
  change.created.push_back({"after", "whole", "shown", EncodeRecord({}), false});
  const Status committed = state->store->Commit(change);
  if (!committed.ok()) return "no new job is taken: " + committed.message();
  const Bytes wasm(1000, 7);
  const Status put = state->modules->Put(Sha256(wasm), wasm);
  if (!put.ok()) return "no new module is taken: " + put.message();
  const SimulatedDisk again(disk.CutAt(disk.RecordSize(), seed));
  const Result<OpenState> opened = OpenStateOn(again);
  if (!opened.ok()) return "after new work: " + opened.status().message();
  if (DumpOf(*opened) != DumpOf(*state)) return "a new job is lost";
  return opened->modules->Look(Sha256(wasm)).ok() ? "" : "a new module is lost";
}

struct Cut {
  uint64_t seed = 0;
  bool flush_works = true;
  bool again = true;  // and a second time, while the daemon starts
};

// What is wrong after a cut of `disk` at `at`, where all that was promised by `size` is owed.
std::string ProblemAfter(const StateLife& life, const SimulatedDisk& before, size_t at, size_t size,
                         const Cut& cut) {
  Chance chance(cut.seed + 1);
  SimulatedDisk disk(before.CutAt(at, cut.seed, cut.flush_works));
  Result<OpenState> state = OpenStateOn(disk);
  if (!state.ok()) return "it cannot be opened: " + state.status().message();
  std::string problem = life.Problem(*state, size);
  if (!problem.empty()) return problem;
  if (cut.again) {
    problem = ProblemAfter(life, disk, chance.Below(disk.RecordSize() + 1), size,
                           {cut.seed + 2, true, false});
    if (!problem.empty()) return "while it started: " + problem;
    problem = NewWorkProblem(disk, &*state, cut.seed + 3);
    return problem.empty() ? RestoreProblem(std::move(state->store)) : problem;
  }
  *state = {};
  const auto findings = CheckState(disk.Path(kStateFolder), [](const std::string&) {});
  if (!findings.ok()) return findings.status().message();
  return findings->problems.empty() ? "" : findings->problems.front();
}

// The first problem of a life that is cut so often.
std::string ProblemOfLife(uint64_t seed, uint64_t cuts, bool flush_works) {
  SimulatedDisk disk;
  StateLife life(&disk, seed);
  Status status = life.Start();
  for (int step = 0; status.ok() && step < kSteps; ++step) status = life.Step();
  if (!status.ok()) return "without a cut: " + status.message();
  Chance chance(seed);
  for (uint64_t i = 0; i < cuts; ++i) {
    const size_t size = chance.Below(disk.RecordSize() + 1);
    const std::string problem =
        ProblemAfter(life, disk, size, size, {seed * kCutsOfALife + i, flush_works, true});
    if (problem.empty()) continue;
    return "life " + std::to_string(seed) + ", cut " + std::to_string(i) + " at " +
           std::to_string(size) + " of " + std::to_string(disk.RecordSize()) + ": " + problem;
  }
  return "";
}

TEST(PowerLossTest, WhatWasPromisedIsThere) {
  const uint64_t lives = (CutsWanted() + kCutsOfALife - 1) / kCutsOfALife;
  for (uint64_t seed = 0; seed < lives; ++seed) {
    ASSERT_EQ(ProblemOfLife(seed, kCutsOfALife, true), "");
  }
  RecordProperty("cuts", static_cast<int>(lives * kCutsOfALife));
}

// Otherwise the test above would prove nothing.
TEST(PowerLossTest, ADiskThatOnlySaysThatItFlushedIsFoundOut) {
  int found = 0;
  for (uint64_t seed = 0; seed < 5; ++seed) {
    found += ProblemOfLife(seed, kCutsOfALife, false).empty() ? 0 : 1;
  }
  EXPECT_EQ(found, 5);
}

// A state of version 1, as an older daemon left it.
DiskImage Version1() {
  const SimulatedDisk disk;
  {
    const OpenState state = OpenStateOn(disk).value();
    StoreChange change;
    for (int i = 0; i < 8; ++i) {
      const std::string id = "job" + std::to_string(i);
      change.created.push_back({id, std::string(3000, 'r'), "shown", "record", false});
      change.blocks.push_back({id, 0, 10, "", Bytes(5000, static_cast<uint8_t>(i))});
    }
    EXPECT_TRUE(state.store->Commit(change).ok());
  }
  {
    const auto database =
        Database::Open(disk.Path("state/state.db"), Database::Mode::kWrite).value();
    EXPECT_TRUE(database->Run("DROP TABLE tokens; DROP TABLE owners; DROP TABLE cordons").ok());
    EXPECT_TRUE(database->Run("PRAGMA user_version=1").ok());
  }
  return disk.Look();
}

// Copies of the old database are whole; there is one once the new one is there.
std::string CopyProblem(const SimulatedDisk& disk) {
  int copies = 0;
  for (const auto& [path, bytes] : disk.Look()) {
    if (path.find("state.db.version1") == std::string::npos) continue;
    if (path.ends_with(".new") || path.ends_with("-journal")) continue;
    ++copies;
    const auto copy = Database::Open(disk.Path(path), Database::Mode::kRead);
    if (!copy.ok()) return copy.status().message();
    const Result<int64_t> version = (*copy)->Number("PRAGMA user_version");
    if (!version.ok() || *version != 1) return path + " is not of version 1";
    const Result<int64_t> count = (*copy)->Number("SELECT count(*) FROM jobs JOIN blocks");
    if (!count.ok() || *count != 64) return path + " lacks jobs";
  }
  return copies > 0 ? "" : "there is no copy";
}

TEST(PowerLossTest, AMigrationThatIsCutLosesNothing) {
  const SimulatedDisk disk(Version1());
  std::string jobs;
  {
    const OpenState state = OpenStateOn(disk).value();
    jobs = DumpOf(state);
  }
  for (size_t size = 0; size <= disk.RecordSize(); ++size) {
    for (uint64_t seed = 0; seed < 3; ++seed) {
      const SimulatedDisk after(disk.CutAt(size, 3 * size + seed));
      const Result<OpenState> state = OpenStateOn(after);
      ASSERT_TRUE(state.ok()) << size << " " << seed << " " << state.status().message();
      ASSERT_EQ(DumpOf(*state), jobs) << size << " " << seed;
      ASSERT_EQ(CopyProblem(after), "") << size << " " << seed;
    }
  }
}

}  // namespace
}  // namespace wb::test
