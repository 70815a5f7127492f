// What every BlobStore keeps: over a folder and over PostgreSQL.

#include "daemon/database/blob_store.h"

#include <gtest/gtest.h>

#include <string>

#include "tests/daemon/postgres/state_home.h"

namespace wb {
namespace {

class BlobStoreTest : public test::StateTest {
 protected:
  void SetUp() override {
    StateTest::SetUp();
    if (!IsSkipped()) Open();
  }
  void TearDown() override { state_ = {}; }
  void Open() {
    state_ = {};
    auto state = home_.Open();
    ASSERT_TRUE(state.ok()) << state.status().message();
    state_ = std::move(state).value();
  }

  StateParts state_;
};

INSTANTIATE_TEST_SUITE_P(Stores, BlobStoreTest,
                         testing::Values(test::StoreKind::kSqlite, test::StoreKind::kPostgres),
                         test::StoreKindName);

TEST_P(BlobStoreTest, GivesBackWhatWasPut) {
  // Of no byte, of one part, of several.
  for (const size_t size : {size_t{0}, size_t{10}, size_t{5'000'000}}) {
    Bytes bytes(size);
    for (size_t i = 0; i < size; ++i) bytes[i] = static_cast<uint8_t>(i * 2654435761u >> 13);
    const Digest digest = Sha256(bytes);
    EXPECT_EQ(state_.modules->Get(digest).status().reason(), Reason::kNotFound);
    ASSERT_TRUE(state_.modules->Put(digest, bytes).ok());
    ASSERT_TRUE(state_.modules->Put(digest, bytes).ok());
    Open();
    EXPECT_EQ(state_.modules->Get(digest).value(), bytes);
    // Of another kind there is nothing.
    EXPECT_EQ(state_.inputs->Get(digest).status().reason(), Reason::kNotFound);
    const auto entries = state_.modules->Entries();
    ASSERT_EQ(entries->size(), 1u);
    EXPECT_EQ((*entries)[0].digest, digest);
    EXPECT_EQ((*entries)[0].bytes, size);
    EXPECT_GT((*entries)[0].unix_ns, 1'700'000'000'000'000'000);
    ASSERT_TRUE(state_.modules->Remove(digest).ok());
    ASSERT_TRUE(state_.modules->Remove(digest).ok());
    EXPECT_TRUE(state_.modules->Entries()->empty());
  }
}

TEST_P(BlobStoreTest, EntriesAreInOrderAndTellTheLastUse) {
  for (const char* text : {"one", "two", "three", "four"}) {
    ASSERT_TRUE(state_.inputs->Put(Sha256(AsBytes(text)), AsBytes(text)).ok());
  }
  const auto before = state_.inputs->Entries().value();
  ASSERT_EQ(before.size(), 4u);
  for (size_t i = 1; i < before.size(); ++i) EXPECT_LT(before[i - 1].digest, before[i].digest);
  state_.inputs->Touch(before[2].digest);
  const auto after = state_.inputs->Entries().value();
  EXPECT_GT(after[2].unix_ns, before[2].unix_ns);
  EXPECT_EQ(after[1].unix_ns, before[1].unix_ns);
}

}  // namespace
}  // namespace wb
