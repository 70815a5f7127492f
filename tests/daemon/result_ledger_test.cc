#include "daemon/result_ledger.h"

#include <gtest/gtest.h>

namespace wb {
namespace {

constexpr uint64_t kAll = 64'000;

class ResultLedgerTest : public testing::Test {
 protected:
  ResultLedger ledger_{ResultLimits{kAll, 0, 20'000}};
};

TEST_F(ResultLedgerTest, AnEmptyOneGivesAJobItsLimit) {
  EXPECT_EQ(ledger_.Free("a", 0), 20'000u);
  EXPECT_EQ(ledger_.Free("a", 15'000), 5'000u);
  EXPECT_EQ(ledger_.Free("a", 20'000), 0u);
  EXPECT_EQ(ledger_.Tightest("a", 15'000), ResultBound::kJob);
}

TEST_F(ResultLedgerTest, ATenantHasHalfAndSmallJobsALittleMore) {
  ledger_.Add("a", 32'000);
  EXPECT_EQ(ledger_.Free("a", 2'000), 0u);
  EXPECT_EQ(ledger_.Tightest("a", 2'000), ResultBound::kTenant);
  EXPECT_EQ(ledger_.Free("a", 0), 1'000u);  // a sixty-fourth of all
  EXPECT_EQ(ledger_.Free("a", 400), 600u);
  EXPECT_EQ(ledger_.Free("b", 0), 20'000u);
  ledger_.Add("a", 2'000);  // a quarter of the reserve
  EXPECT_EQ(ledger_.Free("a", 0), 0u);
}

TEST_F(ResultLedgerTest, TheReserveIsForThoseThatHoldLittle) {
  ledger_.Add("a", 30'000);
  ledger_.Add("b", 26'000);  // all but the reserve of 8,000
  EXPECT_EQ(ledger_.Free("b", 2'000), 0u);
  EXPECT_EQ(ledger_.Tightest("b", 2'000), ResultBound::kAll);
  EXPECT_EQ(ledger_.Free("b", 0), 1'000u);
  ledger_.Add("b", 4'000);  // half of the reserve
  EXPECT_EQ(ledger_.Free("b", 0), 0u);
  EXPECT_EQ(ledger_.Free("c", 0), 500u);  // an eighth of what is left
  ledger_.Add("c", 2'000);
  EXPECT_EQ(ledger_.Free("c", 0), 0u);
  EXPECT_EQ(ledger_.Free("d", 0), 250u);
}

TEST_F(ResultLedgerTest, EndedResultsTakeNoRoom) {
  ledger_.Add("a", 32'000);
  ledger_.End("a", 32'000);
  EXPECT_EQ(ledger_.bytes(), 32'000u);
  EXPECT_EQ(ledger_.Free("a", 0), 20'000u);
  EXPECT_FALSE(ledger_.IsTenantOver("a"));
  ledger_.Add("a", 1);
  EXPECT_TRUE(ledger_.IsTenantOver("a"));
  EXPECT_EQ(ledger_.MostEnded(), "a");
  ledger_.RemoveEnded("a", 32'000);
  EXPECT_FALSE(ledger_.IsTenantOver("a"));
  EXPECT_EQ(ledger_.MostEnded(), std::nullopt);
  ledger_.Remove("a", 1);
  EXPECT_EQ(ledger_.bytes(), 0u);
}

}  // namespace
}  // namespace wb
