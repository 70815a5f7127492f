// What every DurableStore keeps: over SQLite and over PostgreSQL.

#include "daemon/database/durable_store.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "tests/daemon/database/stored_jobs.h"
#include "tests/daemon/postgres/state_home.h"

namespace wb {
namespace {

class DurableStoreTest : public test::StateTest {
 protected:
  void SetUp() override {
    StateTest::SetUp();
    if (!IsSkipped()) Open();
  }
  void TearDown() override { store_.reset(); }
  void Open() {
    store_.reset();
    auto state = home_.Open();
    ASSERT_TRUE(state.ok()) << state.status().message();
    store_ = std::move(state->jobs);
  }

  std::unique_ptr<DurableStore> store_;
};

INSTANTIATE_TEST_SUITE_P(Stores, DurableStoreTest,
                         testing::Values(test::StoreKind::kSqlite, test::StoreKind::kPostgres),
                         test::StoreKindName);

TEST_P(DurableStoreTest, KeepsJobsAndTheirBlocks) {
  StoreChange change;
  change.created = {test::JobOf("b"), test::JobOf("a")};
  change.blocks = {test::BlockOf("a", 0, "first"), test::BlockOf("a", 10, "second")};
  test::MustCommit(*store_, change);
  Open();
  const std::vector<test::LoadedJob> jobs = test::LoadAll(*store_);
  ASSERT_EQ(jobs.size(), 2u);
  EXPECT_EQ(jobs[0].row.id, "a");
  EXPECT_EQ(jobs[0].row.request, "whole");
  EXPECT_EQ(jobs[0].row.shown, "shown");
  EXPECT_EQ(jobs[0].row.record, "record");
  ASSERT_EQ(jobs[0].blocks.size(), 2u);
  EXPECT_EQ(jobs[0].blocks[1].first, 10u);
  EXPECT_EQ(jobs[0].blocks[1].count, 10u);
  EXPECT_EQ(jobs[0].blocks[1].bytes, 6u);
  EXPECT_EQ(jobs[0].blocks[1].instances, "instances");
  EXPECT_TRUE(jobs[1].blocks.empty());
  const auto block = store_->ReadBlock("a", 19);
  ASSERT_TRUE(block.ok()) << block.status().message();
  EXPECT_EQ(AsText(block->data), "second");
  EXPECT_FALSE(store_->ReadBlock("a", 20).ok());
  EXPECT_FALSE(store_->ReadBlock("b", 0).ok());
}

TEST_P(DurableStoreTest, AShortRequestOfAnEndedJobIsKept) {
  StoreChange change;
  change.created = {test::JobOf("short"), test::JobOf("long")};
  change.created[1].request = std::string(DurableStore::kMostKeptRequest + 1, 'x');
  test::MustCommit(*store_, change);
  EXPECT_EQ(store_->ReadRequest("long")->size(), DurableStore::kMostKeptRequest + 1);
  change = {};
  change.changed = {{"short", "", "", "end", true}, {"long", "", "", "end", true}};
  test::MustCommit(*store_, change);
  Open();
  EXPECT_EQ(store_->ReadRequest("short").value(), "whole");
  EXPECT_EQ(store_->ReadRequest("long").value(), "");
  EXPECT_EQ(store_->ReadRequest("other").status().reason(), Reason::kNotFound);
}

TEST_P(DurableStoreTest, ALoadedJobThatHasEndedHasNoRequest) {
  StoreChange change;
  change.created = {test::JobOf("a")};
  test::MustCommit(*store_, change);
  change = {};
  change.changed = {{"a", "", "", "at its end", true}};
  test::MustCommit(*store_, change);
  const std::vector<test::LoadedJob> jobs = test::LoadAll(*store_);
  ASSERT_EQ(jobs.size(), 1u);
  EXPECT_TRUE(jobs[0].row.ended);
  EXPECT_EQ(jobs[0].row.request, "");
  EXPECT_EQ(jobs[0].row.record, "at its end");
  EXPECT_EQ(jobs[0].row.shown, "shown");
}

TEST_P(DurableStoreTest, DroppedResultsLeaveTheirInstances) {
  StoreChange change;
  change.created = {test::JobOf("a")};
  change.blocks = {test::BlockOf("a", 0, "first"), test::BlockOf("a", 10, "second")};
  test::MustCommit(*store_, change);
  change = {};
  change.dropped = {{"a", 0, 10}};
  test::MustCommit(*store_, change);
  const std::vector<test::LoadedJob> jobs = test::LoadAll(*store_);
  ASSERT_EQ(jobs[0].blocks.size(), 2u);
  EXPECT_EQ(jobs[0].blocks[0].bytes, 0u);
  EXPECT_EQ(jobs[0].blocks[0].instances, "instances");
  EXPECT_EQ(jobs[0].blocks[1].bytes, 6u);
}

TEST_P(DurableStoreTest, ForgottenJobsTakeTheirResultsAlong) {
  StoreChange change;
  change.created = {test::JobOf("a"), test::JobOf("b")};
  change.blocks = {test::BlockOf("a", 0, "first")};
  test::MustCommit(*store_, change);
  change = {};
  change.forgotten = {"a", "never there"};
  test::MustCommit(*store_, change);
  EXPECT_EQ(test::LoadAll(*store_).size(), 1u);
  EXPECT_FALSE(store_->ReadBlock("a", 0).ok());
}

// All of a change or nothing of it.
TEST_P(DurableStoreTest, AFailedChangeLeavesNothing) {
  StoreChange change;
  change.created = {test::JobOf("a"), test::JobOf("a")};
  EXPECT_FALSE(store_->Commit(change).ok());
  EXPECT_TRUE(test::LoadAll(*store_).empty());
  change.created = {test::JobOf("a")};
  test::MustCommit(*store_, change);
  EXPECT_EQ(test::LoadAll(*store_).size(), 1u);
}

// Every byte, and texts of every length that databases store in another way.
TEST_P(DurableStoreTest, BytesComeBackAsTheyWere) {
  std::string all;
  for (int i = 0; i < 256; ++i) all.push_back(static_cast<char>(i));
  std::string noise;
  for (uint32_t i = 0, x = 1; i < 3'000'000; ++i) {
    x = x * 1664525 + 1013904223;
    noise.push_back(static_cast<char>(x >> 24));
  }
  StoreChange change;
  change.created = {{"a", all, all + all, "", false}, {"b", noise, "", all, false}};
  change.blocks = {{"a", 0, 1, all, {}}, {"a", 1, 1, "", Bytes(noise.begin(), noise.end())}};
  test::MustCommit(*store_, change);
  Open();
  const std::vector<test::LoadedJob> jobs = test::LoadAll(*store_);
  ASSERT_EQ(jobs.size(), 2u);
  EXPECT_EQ(jobs[0].row.request, all);
  EXPECT_EQ(jobs[0].row.shown, all + all);
  EXPECT_EQ(jobs[0].row.record, "");
  EXPECT_EQ(jobs[1].row.request, noise);
  EXPECT_EQ(jobs[0].blocks.at(0).instances, all);
  EXPECT_TRUE(store_->ReadBlock("a", 0)->data.empty());
  EXPECT_EQ(AsText(store_->ReadBlock("a", 1)->data), noise);
}

// More than a page of jobs, and more blocks than go with other statements.
TEST_P(DurableStoreTest, ManyJobsAndBlocksAreLoadedInOrder) {
  StoreChange change;
  for (int i = 0; i < 300; ++i)
    change.created.push_back(test::JobOf("job" + std::to_string(1000 + i)));
  for (int i = 0; i < 300; ++i) {
    for (uint64_t block = 0; block < 3; ++block) {
      const std::string id = "job" + std::to_string(1000 + i);
      change.blocks.push_back(test::BlockOf(id, 10 * block, id + std::to_string(block)));
    }
  }
  test::MustCommit(*store_, change);
  change = {};
  for (int i = 0; i < 300; i += 2) {
    change.changed.push_back({"job" + std::to_string(1000 + i), "", "", "changed", false});
  }
  test::MustCommit(*store_, change);
  Open();
  const std::vector<test::LoadedJob> jobs = test::LoadAll(*store_);
  ASSERT_EQ(jobs.size(), 300u);
  for (size_t i = 0; i < jobs.size(); ++i) {
    const std::string id = "job" + std::to_string(1000 + i);
    EXPECT_EQ(jobs[i].row.id, id);
    EXPECT_EQ(jobs[i].row.record, i % 2 == 0 ? "changed" : "record");
    ASSERT_EQ(jobs[i].blocks.size(), 3u);
    EXPECT_EQ(jobs[i].blocks[2].first, 20u);
    EXPECT_EQ(AsText(store_->ReadBlock(id, 25)->data), id + "2");
  }
}

TEST_P(DurableStoreTest, WhatAForgottenJobLeftGoesInSteps) {
  StoreChange change;
  change.created = {test::JobOf("a"), test::JobOf("b")};
  for (uint64_t i = 0; i < 1000; ++i) change.blocks.push_back(test::BlockOf("a", 10 * i, "data"));
  change.blocks.push_back(test::BlockOf("b", 0, "stays"));
  test::MustCommit(*store_, change);
  change = {};
  change.forgotten = {"a"};
  test::MustCommit(*store_, change);
  Open();  // the next daemon goes on with it
  for (int i = 0; i < 50; ++i) store_->Tidy();
  EXPECT_EQ(test::LoadAll(*store_).size(), 1u);
  EXPECT_TRUE(store_->ReadBlock("b", 0).ok());
  EXPECT_EQ(store_->ReadBlock("a", 0).status().reason(), Reason::kBlobCorrupt);
  if (GetParam() == test::StoreKind::kPostgres) {
    EXPECT_EQ(home_.Sql("SELECT count(*) FROM wasmburst.blocks"), "1");
    EXPECT_EQ(home_.Sql("SELECT count(*) FROM wasmburst.bodies"), "1");
    EXPECT_EQ(home_.Sql("SELECT count(*) FROM wasmburst.trash"), "0");
  }
}

TEST_P(DurableStoreTest, AnEmptyChangeIsWritten) {
  EXPECT_TRUE(store_->Commit({}).ok());
  EXPECT_TRUE(test::LoadAll(*store_).empty());
}

}  // namespace
}  // namespace wb
