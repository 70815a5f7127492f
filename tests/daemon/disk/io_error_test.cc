// Each call to the disk fails once: nothing is promised that is not there, the error is named, and
// the next try works.

#include <gtest/gtest.h>

#include <algorithm>
#include <cerrno>
#include <functional>
#include <map>
#include <set>
#include <string>

#include "tests/daemon/disk/state_life.h"

namespace wb::test {
namespace {

const Bytes& Wasm() {
  static const Bytes wasm(9000, 5);
  return wasm;
}

StoreChange ChangeOf(const std::string& job) {
  StoreChange change;
  change.created.push_back({job, std::string(6000, 'r'), "shown", "record", false});
  change.blocks.push_back({job, 0, 10, "", Bytes(30'000, 3)});
  return change;
}

Status Commit(SimulatedDisk*, OpenState* state) { return state->store->Commit(ChangeOf("new")); }
Status PutModule(SimulatedDisk*, OpenState* state) {
  return state->modules->Put(Sha256(Wasm()), Wasm());
}
Status AddToken(SimulatedDisk*, OpenState* state) {
  TokenRecord token;
  token.id = "token";
  return state->registry->AddToken(token);
}
Status GiveOrder(SimulatedDisk*, OpenState* state) {
  return state->registry->AddCordon({"cpu0", 1});
}
// Its first commits move into the database when it is closed.
Status Restart(SimulatedDisk* disk, OpenState* state) {
  *state = {};
  WB_ASSIGN(*state, OpenStateOn(*disk));
  return {};
}

struct Act {
  const char* name;
  std::function<Status(SimulatedDisk*, OpenState*)> run;
  bool opens = false;  // the state, which is not open before
};

// All that a start finds.
std::string Find(const DiskImage& image) {
  const SimulatedDisk disk(image);
  const Result<OpenState> state = OpenStateOn(disk);
  if (!state.ok()) return state.status().message();
  const Result<std::vector<std::string>> damage = state->store->FindDamage();
  return DumpOf(*state) + (state->modules->Look(Sha256(Wasm())).ok() ? "module " : "") +
         (damage.ok() && damage->empty() ? "" : "damage");
}

// Many cuts leave the same.
std::string Seen(const DiskImage& image) {
  static std::map<DiskImage, std::string> known;
  const auto at = known.find(image);
  return at != known.end() ? at->second : known[image] = Find(image);
}

// A job in the log, none of which is in the database yet.
DiskImage Begun() {
  const SimulatedDisk disk;
  const OpenState state = OpenStateOn(disk).value();
  EXPECT_TRUE(state.store->Commit(ChangeOf("old")).ok());
  return disk.Look();
}

DiskImage OlderVersion() {
  const SimulatedDisk disk(Begun());
  const auto database = Database::Open(disk.Path("state/state.db"), Database::Mode::kWrite).value();
  EXPECT_TRUE(database->Run("DROP TABLE tokens; DROP TABLE owners; DROP TABLE cordons").ok());
  EXPECT_TRUE(database->Run("PRAGMA user_version=1").ok());
  return disk.Look();
}

class IoErrorTest : public testing::Test {
 protected:
  // Fails each call once.
  static void FailEach(const Act& act, const DiskImage& begun) {
    const std::string before = Seen(begun);
    const std::string after = SeenAfter(act, begun);
    int calls = 0;
    for (const int error : {EIO, ENOSPC}) {
      for (uint64_t n = 1; n < 1000; ++n, ++calls) {
        SCOPED_TRACE(std::string(act.name) + ", call " + std::to_string(n));
        if (!FailOne(act, begun, n, error, {before, after})) break;
        if (HasFailure()) return;
      }
    }
    EXPECT_GT(calls, 4) << act.name;
    EXPECT_LT(calls, 1000) << act.name;
  }

 private:
  struct Outcomes {
    std::string before;
    std::string after;
  };

  static OpenState Open(const Act& act, const SimulatedDisk& disk) {
    return act.opens ? OpenState() : OpenStateOn(disk).value();
  }
  static std::string SeenAfter(const Act& act, const DiskImage& begun) {
    SimulatedDisk disk(begun);
    OpenState state = Open(act, disk);
    EXPECT_TRUE(act.run(&disk, &state).ok());
    return Seen(disk.CutAt(disk.RecordSize(), 1));
  }
  // False: so many calls are not made.
  static bool FailOne(const Act& act, const DiskImage& begun, uint64_t n, int error,
                      const Outcomes& may_be) {
    SimulatedDisk disk(begun);
    OpenState state = Open(act, disk);
    disk.FailCall(n, error);
    const Status status = act.run(&disk, &state);
    if (disk.failed().empty()) return false;
    SCOPED_TRACE(disk.failed() + (error == EIO ? ": EIO" : ": ENOSPC"));
    if (!status.ok()) ExpectNamed(status, error);
    for (uint64_t seed = 0; seed < 3; ++seed) {
      const std::string seen = Seen(disk.CutAt(disk.RecordSize(), seed));
      EXPECT_TRUE(seen == may_be.after || (!status.ok() && seen == may_be.before)) << seen;
    }
    if (!status.ok()) {
      const Status again = act.run(&disk, &state);
      EXPECT_TRUE(again.ok()) << again.message();
    }
    for (uint64_t seed = 0; seed < 3; ++seed) {
      EXPECT_EQ(Seen(disk.CutAt(disk.RecordSize(), seed)), may_be.after);
    }
    return true;
  }
  static void ExpectNamed(const Status& status, int error) {
    const Reason reason = status.reason();
    EXPECT_TRUE(
        reason == Reason::kIoError ||
        (error == ENOSPC && (reason == Reason::kNoSpace || reason == Reason::kMachineFault)))
        << status.ToString();
    EXPECT_NE(status.message().find("/wb_disk_"), std::string::npos) << status.message();
    const std::set<std::string> words =
        error == EIO ? std::set<std::string>{"Input/output error", "disk I/O error"}
                     : std::set<std::string>{"full", "No space left", "disk I/O error"};
    EXPECT_TRUE(std::any_of(words.begin(), words.end(), [&status](const std::string& word) {
      return status.message().find(word) != std::string::npos;
    })) << status.message();
  }
};

TEST_F(IoErrorTest, CommitsFailWholeAndWorkAgain) {
  FailEach({"commit", Commit}, Begun());
  FailEach({"token", AddToken}, Begun());
}

TEST_F(IoErrorTest, ModulesAndOrdersFailWholeAndWorkAgain) {
  FailEach({"module", PutModule}, Begun());
  FailEach({"order", GiveOrder}, Begun());
}

TEST_F(IoErrorTest, StartsFailAndWorkAgain) {
  FailEach({"first start", Restart, true}, {});
  FailEach({"start", Restart, true}, Begun());
  FailEach({"restart", Restart}, Begun());
}

TEST_F(IoErrorTest, MigrationsFailAndWorkAgain) {
  FailEach({"migration", Restart, true}, OlderVersion());
}

}  // namespace
}  // namespace wb::test
