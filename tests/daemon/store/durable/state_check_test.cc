#include "daemon/store/durable/state_check.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "daemon/database/blob_folder.h"
#include "daemon/database/database.h"
#include "daemon/database/folder_lock.h"
#include "daemon/database/sqlite_store.h"
#include "daemon/store/durable/durable_job_store.h"
#include "daemon/store/durable/state_copy.h"

namespace wb {
namespace {

class StateTest : public testing::Test {
 protected:
  void SetUp() override {
    char folder[] = "/tmp/wb_check_XXXXXX";
    ASSERT_NE(mkdtemp(folder), nullptr);
    root_ = folder;
    state_ = root_ + "/state";
    ASSERT_TRUE(MakePrivateFolder(state_, "The state folder").ok());
    Fill();
  }
  void TearDown() override { std::filesystem::remove_all(root_); }

  // Two jobs, one of them with 50 results, and a module.
  void Fill() {
    DurableJobStore store(SqliteStore::Open(state_).value(), Limits(), [] { return int64_t{1}; });
    for (int i = 0; i < 2; ++i) {
      JobRequest request;
      request.instances = 100;
      request.most_result_bytes = 1000;
      auto sent = std::make_shared<SentRequest>();
      sent->whole = "whole";
      request.sent = sent;
      job_ = store.Create(request)->job.id;
    }
    std::vector<InstanceResult> results(50);
    for (size_t i = 0; i < results.size(); ++i) results[i].instance = i;
    ASSERT_EQ(store.SinkOf(job_)->Reserve(50), 50u);
    store.SinkOf(job_)->OnResults(std::move(results));
    const BlobFolder blobs = BlobFolder::Open(state_ + "/modules").value();
    ASSERT_TRUE(blobs.Put(digest_, AsBytes("a module")).ok());
  }
  static DurableJobStore::Limits Limits() {
    return {{100, {uint64_t{1} << 30, 0, uint64_t{1} << 30}, 1}, 1 << 20};
  }
  StateFindings Check(const std::string& folder) {
    Result<StateFindings> findings = CheckState(folder, [](const std::string&) {});
    EXPECT_TRUE(findings.ok()) << findings.status().message();
    return findings.ok() ? *findings : StateFindings();
  }
  void Change(const std::string& sql) {
    auto database = Database::Open(state_ + "/state.db", Database::Mode::kWrite).value();
    ASSERT_TRUE(database->Run(sql).ok());
  }
  // The one problem, which says this.
  void ExpectProblem(const std::string& words) {
    const StateFindings findings = Check(state_);
    ASSERT_EQ(findings.problems.size(), 1u) << words;
    EXPECT_NE(findings.problems[0].find(words), std::string::npos) << findings.problems[0];
  }

  std::string root_;
  std::string state_;
  std::string job_;
  const Digest digest_ = Sha256(AsBytes("a module"));
};

TEST_F(StateTest, SoundStateHasNoProblems) {
  const StateFindings findings = Check(state_);
  EXPECT_TRUE(findings.problems.empty()) << findings.problems[0];
  EXPECT_EQ(findings.jobs, 2u);
  EXPECT_EQ(findings.results, 50u);
  EXPECT_EQ(findings.blobs, 1u);
}

TEST_F(StateTest, EachKindOfDamageIsNamed) {
  Change("UPDATE bodies SET data = x'010203'");
  ExpectProblem("missing or damaged");
}

TEST_F(StateTest, ALostBlockIsNamed) {
  Change("UPDATE blocks SET first = 3");
  const StateFindings findings = Check(state_);
  ASSERT_FALSE(findings.problems.empty());
  EXPECT_NE(findings.problems[0].find("no results at position [0]"), std::string::npos);
}

TEST_F(StateTest, ADoubledInstanceIsNamed) {
  Change(
      "INSERT INTO blocks(job, first, count, bytes, instances) "
      "SELECT job, 50, count, 0, instances FROM blocks");
  const StateFindings findings = Check(state_);
  ASSERT_EQ(findings.problems.size(), 2u);
  EXPECT_NE(findings.problems[0].find("its blocks have [100]"), std::string::npos);
  EXPECT_NE(findings.problems[1].find("twice"), std::string::npos);
}

TEST_F(StateTest, ADamagedRecordIsNamed) {
  Change("UPDATE jobs SET record = 'nothing' WHERE id = '" + job_ + "'");
  ExpectProblem("damaged record");
}

TEST_F(StateTest, ALostRequestIsNamed) {
  Change("UPDATE jobs SET request = NULL WHERE id = '" + job_ + "'");
  ExpectProblem("lost its request");
}

TEST_F(StateTest, ADamagedModuleIsNamedAndStays) {
  const std::string path = state_ + "/modules/" + digest_.Hex().substr(0, 2) + "/" + digest_.Hex();
  std::ofstream(path) << "another";
  ExpectProblem(path);
  EXPECT_TRUE(std::filesystem::exists(path));
}

TEST_F(StateTest, AFolderInUseOrWithoutStateIsRefused) {
  const auto lock = FolderLock::Take(state_);
  EXPECT_EQ(CheckState(state_, [](const std::string&) {}).status().reason(),
            Reason::kConfigInvalid);
  EXPECT_EQ(CheckState(root_, [](const std::string&) {}).status().reason(), Reason::kConfigInvalid);
  EXPECT_FALSE(std::filesystem::exists(root_ + "/LOCK"));
}

TEST_F(StateTest, ABackupOfAFolderInUseIsSoundAndCanBeRestored) {
  const std::string backup = root_ + "/backup";
  const std::string restored = root_ + "/restored";
  {
    const auto lock = FolderLock::Take(state_);
    DurableJobStore store(SqliteStore::Open(state_).value(), Limits(), [] { return int64_t{1}; });
    ASSERT_TRUE(BackUpState(state_, backup).ok());
    ASSERT_TRUE(store.Create({}).ok());  // the daemon goes on
  }
  ASSERT_TRUE(RestoreState(backup, restored).ok());
  for (const std::string& copy : {backup, restored}) {
    const StateFindings findings = Check(copy);
    EXPECT_TRUE(findings.problems.empty()) << findings.problems[0];
    EXPECT_EQ(findings.jobs, 2u);
    EXPECT_EQ(findings.results, 50u);
    EXPECT_EQ(findings.blobs, 1u);
  }
  EXPECT_EQ(Check(state_).jobs, 3u);
  // Neither writes over what is there.
  EXPECT_EQ(BackUpState(state_, backup).reason(), Reason::kConfigInvalid);
  EXPECT_EQ(RestoreState(backup, state_).reason(), Reason::kConfigInvalid);
  EXPECT_EQ(Check(state_).jobs, 3u);
}

}  // namespace
}  // namespace wb
