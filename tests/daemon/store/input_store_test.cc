#include "daemon/store/input_store.h"

#include <gtest/gtest.h>

namespace wb {
namespace {

class InputStoreTest : public testing::Test {
 protected:
  static Digest KeyOf(const std::string& text) { return Sha256(AsBytes(text)); }

  // An input of so many bytes, all of them values.
  Result<StoredInput> Put(const std::string& name, uint64_t bytes) {
    std::unique_ptr<InputRoom> room = store_.OpenRoom({0, 1});
    WB_TRY(room->Grow(bytes));
    StoredInput input;
    input.digest = KeyOf(name);
    input.size_bytes = bytes;
    input.column.kind = Column::Kind::kList;
    input.column.data = ColumnData::Numbers(ByteBlock::Of(bytes), 4, bytes / 4);
    return store_.Put(std::move(input), std::move(room));
  }
  bool Has(const std::string& name) { return store_.Get(KeyOf(name)).ok(); }

  MemoryInputStore store_{{1000, 4}};
};

TEST_F(InputStoreTest, JobsShareWhatIsStored) {
  ASSERT_TRUE(Put("a", 400).ok());
  const Column first = store_.Get(KeyOf("a"))->column;
  const Column second = store_.Get(KeyOf("a"))->column;
  EXPECT_EQ(first.data.get(), second.data.get());
  EXPECT_EQ(store_.bytes(), 400u);
}

TEST_F(InputStoreTest, StoringTheSameAgainChangesNothing) {
  const StoredInput first = Put("a", 400).value();
  const StoredInput second = Put("a", 400).value();
  EXPECT_EQ(first.column.data.get(), second.column.data.get());
  EXPECT_EQ(first.create_unix_ns, second.create_unix_ns);
  EXPECT_EQ(store_.bytes(), 400u);
  EXPECT_EQ(store_.count(), 1u);
}

TEST_F(InputStoreTest, UnusedInputsMakeRoomThoseFirstThatWereUsedLongestAgo) {
  ASSERT_TRUE(Put("a", 400).ok());
  ASSERT_TRUE(Put("b", 400).ok());
  ASSERT_TRUE(Has("a"));
  ASSERT_TRUE(Put("c", 400).ok());
  EXPECT_TRUE(Has("a"));
  EXPECT_FALSE(Has("b"));
  EXPECT_EQ(store_.bytes(), 800u);
}

TEST_F(InputStoreTest, InputsOfJobsStayAndTheirRefusalNamesTheBound) {
  std::optional<Column> first = Put("a", 400)->column;
  const Column second = Put("b", 400)->column;
  const Status status = Put("c", 400).status();
  EXPECT_EQ(status.reason(), Reason::kStoreFull);
  EXPECT_NE(status.message().find("inputs.max_total_bytes [1000]"), std::string::npos)
      << status.message();
  EXPECT_TRUE(Has("a"));
  first.reset();
  EXPECT_TRUE(Put("c", 400).ok());
  EXPECT_FALSE(Has("a"));
  EXPECT_TRUE(Has("b"));
}

TEST_F(InputStoreTest, ADeletedInputCountsUntilItsJobsHaveEnded) {
  std::optional<Column> job = Put("a", 400)->column;
  EXPECT_TRUE(store_.Delete(KeyOf("a")).ok());
  EXPECT_EQ(store_.Delete(KeyOf("a")).reason(), Reason::kNotFound);
  EXPECT_FALSE(Has("a"));
  EXPECT_EQ(store_.bytes(), 400u);
  EXPECT_EQ(job->count(), 100u);
  job.reset();
  EXPECT_EQ(store_.bytes(), 0u);
}

TEST_F(InputStoreTest, WhatAConnectionUploadsIsHalfOfWhatOthersLeave) {
  std::unique_ptr<InputRoom> room = store_.OpenRoom({0, 1});
  EXPECT_TRUE(room->Grow(500).ok());
  EXPECT_EQ(room->Grow(1).reason(), Reason::kStoreFull);
  EXPECT_EQ(store_.OpenRoom({0, 1})->Grow(1).reason(), Reason::kStoreFull);
  std::unique_ptr<InputRoom> other = store_.OpenRoom({1, 2});
  EXPECT_TRUE(other->Grow(250).ok());
  EXPECT_EQ(other->Grow(1).reason(), Reason::kStoreFull);
  EXPECT_EQ(store_.bytes(), 750u);
  // An abandoned one gives its bytes back.
  room.reset();
  EXPECT_EQ(store_.bytes(), 250u);
  EXPECT_TRUE(other->Grow(250).ok());
}

TEST_F(InputStoreTest, NorDoConnectionsOfOneTenantTakeAllTogether) {
  std::unique_ptr<InputRoom> first = store_.OpenRoom({7, 1});
  std::unique_ptr<InputRoom> second = store_.OpenRoom({7, 2});
  EXPECT_TRUE(first->Grow(300).ok());
  EXPECT_TRUE(second->Grow(200).ok());
  const Status refused = second->Grow(1);
  EXPECT_EQ(refused.reason(), Reason::kStoreFull);
  EXPECT_NE(refused.message().find("Uploads of this tenant that are under way hold [500] bytes"),
            std::string::npos)
      << refused.message();
  EXPECT_TRUE(store_.OpenRoom({8, 1})->Grow(250).ok());
  first.reset();
  EXPECT_TRUE(second->Grow(300).ok());
}

TEST_F(InputStoreTest, WhatIsStoredIsNotOnItsWayAnyMore) {
  const Column first = Put("a", 400)->column;
  const Column second = Put("b", 400)->column;
  EXPECT_TRUE(store_.OpenRoom({0, 1})->Grow(200).ok());
}

TEST_F(InputStoreTest, TheirNumberIsBounded) {
  for (const char* name : {"a", "b", "c", "d"}) ASSERT_TRUE(Put(name, 4).ok());
  const Column job = store_.Get(KeyOf("a"))->column;
  ASSERT_TRUE(Put("e", 4).ok());
  EXPECT_EQ(store_.count(), 4u);
  EXPECT_TRUE(Has("a"));
  EXPECT_FALSE(Has("b"));
  // One that holds no data is evicted like the others.
  StoredInput constant;
  constant.digest = KeyOf("constant");
  constant.column.values = {Value::I32(1)};
  ASSERT_TRUE(store_.Put(constant, store_.OpenRoom({0, 1})).ok());
  EXPECT_EQ(store_.count(), 4u);
  EXPECT_TRUE(Has("constant"));
}

TEST_F(InputStoreTest, AJobMayHoldAnInputLongerThanTheStoreLives) {
  Column job;
  {
    MemoryInputStore store({1000, 4});
    std::unique_ptr<InputRoom> room = store.OpenRoom({0, 1});
    ASSERT_TRUE(room->Grow(4).ok());
    StoredInput input;
    input.column.kind = Column::Kind::kList;
    input.column.data = ColumnData::Numbers(ByteBlock::Of(4), 4, 1);
    job = store.Put(std::move(input), std::move(room))->column;
  }
  EXPECT_EQ(job.count(), 1u);
}

}  // namespace
}  // namespace wb
