#include "daemon/store/result_account.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

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
  ledger_.AddKept("a", 32'000);
  EXPECT_EQ(ledger_.Free("a", 2'000), 0u);
  EXPECT_EQ(ledger_.Tightest("a", 2'000), ResultBound::kTenant);
  EXPECT_EQ(ledger_.Free("a", 0), 1'000u);  // a sixty-fourth of all
  EXPECT_EQ(ledger_.Free("a", 400), 600u);
  EXPECT_EQ(ledger_.Free("b", 0), 20'000u);
  ledger_.AddKept("a", 2'000);  // a quarter of the reserve
  EXPECT_EQ(ledger_.Free("a", 0), 0u);
}

TEST_F(ResultLedgerTest, TheReserveIsForThoseThatHoldLittle) {
  ledger_.AddKept("a", 30'000);
  ledger_.AddKept("b", 26'000);  // all but the reserve of 8,000
  EXPECT_EQ(ledger_.Free("b", 2'000), 0u);
  EXPECT_EQ(ledger_.Tightest("b", 2'000), ResultBound::kAll);
  EXPECT_EQ(ledger_.Free("b", 0), 1'000u);
  ledger_.AddKept("b", 4'000);  // half of the reserve
  EXPECT_EQ(ledger_.Free("b", 0), 0u);
  EXPECT_EQ(ledger_.Free("c", 0), 500u);  // an eighth of what is left
  ledger_.AddKept("c", 2'000);
  EXPECT_EQ(ledger_.Free("c", 0), 0u);
  EXPECT_EQ(ledger_.Free("d", 0), 250u);
}

TEST_F(ResultLedgerTest, SpareResultsTakeNoRoom) {
  ledger_.AddSpare("a", 32'000);
  EXPECT_EQ(ledger_.bytes(), 32'000u);
  EXPECT_EQ(ledger_.Free("a", 0), 20'000u);
  EXPECT_FALSE(ledger_.IsTenantOver("a"));
  ledger_.AddKept("a", 1);
  EXPECT_TRUE(ledger_.IsTenantOver("a"));
  EXPECT_EQ(ledger_.MostSpare(), "a");
  ledger_.RemoveSpare("a", 32'000);
  EXPECT_FALSE(ledger_.IsTenantOver("a"));
  EXPECT_EQ(ledger_.MostSpare(), std::nullopt);
  ledger_.RemoveKept("a", 1);
  EXPECT_EQ(ledger_.bytes(), 0u);
}

TEST_F(ResultLedgerTest, WhatIsPromisedIsTaken) {
  ledger_.Promise("a", {30'000, 10'000});
  EXPECT_EQ(ledger_.bytes(), 0u);
  EXPECT_EQ(ledger_.Free("a", 2'000), 2'000u);
  EXPECT_EQ(ledger_.FreeExcess("a"), 22'000u);
  EXPECT_EQ(ledger_.FreeExcess("b"), 32'000u);
  ledger_.Promise("b", {20'000, 30'000});
  EXPECT_EQ(ledger_.FreeExcess("c"), 24'000u);
  EXPECT_EQ(ledger_.Free("c", 2'000), 6'000u);  // all but the reserve
  ledger_.Withdraw("b", {20'000, 30'000});
  ledger_.Withdraw("a", {30'000, 10'000});
  EXPECT_EQ(ledger_.Free("a", 0), 20'000u);
}

class ResultAccountTest : public ResultLedgerTest {};

TEST_F(ResultAccountTest, WithoutResultsEachMayBeAsLargeAsTheProgramAllows) {
  ResultAccount account(&ledger_, "a", 1'000);
  EXPECT_EQ(account.Room(), 20u);
  EXPECT_EQ(account.Reserve(15), 15u);
  EXPECT_EQ(account.Reserve(15), 5u);
  EXPECT_EQ(account.Room(), 0u);
  account.Release(20);
  EXPECT_EQ(account.Room(), 20u);
}

TEST_F(ResultAccountTest, ResultsSayHowLargeTheNextOnesAre) {
  ResultAccount account(&ledger_, "a", 1'000);
  account.Reserve(10);
  account.Arrive(10, 400, 80);
  EXPECT_EQ(account.kept(), 400u);
  EXPECT_EQ(account.reserved(), 0u);
  // A quarter more than the largest, 100, for each; and 900 more that each may write, of the
  // tenant's 32,000.
  EXPECT_EQ(account.Room(), 35u);
  EXPECT_EQ(account.Reserve(100), 35u);
  account.Arrive(35, 35'000, 1'000);  // all as large as they may be
  EXPECT_EQ(account.Room(), 0u);
  EXPECT_EQ(account.Tightest(), ResultBound::kJob);
}

TEST_F(ResultAccountTest, JobsTakeFromOneAnotherWhatTheyReserve) {
  ResultAccount first(&ledger_, "a", 1'000);
  ResultAccount second(&ledger_, "a", 1'000);
  ResultAccount third(&ledger_, "a", 1'000);
  EXPECT_EQ(first.Reserve(100), 20u);
  EXPECT_EQ(second.Reserve(100), 12u);  // the tenant's half of all
  EXPECT_EQ(third.Reserve(100), 1u);    // of the reserve
}

// Neither few of them start, nor do they wait for ever.
TEST_F(ResultAccountTest, AGroupLargerThanAJobsBoundComesAsAWhole) {
  ResultAccount account(&ledger_, "a", 10'000, 10'000, 32);
  EXPECT_EQ(account.Room(), 32u);
  EXPECT_EQ(account.Reserve(32), 32u);
  EXPECT_EQ(account.Room(), 0u);
  account.Arrive(32, 320'000, 10'000);
  EXPECT_EQ(account.Room(), 0u);
  account.MakeSpare(320'000);
  EXPECT_EQ(account.Room(), 32u);
}

TEST_F(ResultAccountTest, AResultLargerThanAJobsBoundComesAlone) {
  ResultAccount account(&ledger_, "a", 50'000);
  EXPECT_EQ(account.Reserve(10), 1u);
  EXPECT_EQ(account.Room(), 0u);
  account.Arrive(1, 50'000, 50'000);
  EXPECT_EQ(account.Room(), 0u);
  account.MakeSpare(50'000);
  EXPECT_EQ(account.Room(), 1u);
}

TEST_F(ResultAccountTest, AnInstanceStartsWithRoomForAPart) {
  ResultAccount account(&ledger_, "a", 10'000, 100);
  EXPECT_EQ(account.Reserve(50), 50u);
  EXPECT_EQ(account.WholeRoom(), 1u) << "15,000 are left, and one needs 9,900 more";
  EXPECT_EQ(account.Widen(3), 1u);
  EXPECT_EQ(account.Room(), 51u);
  account.Narrow(1);
  EXPECT_EQ(account.Room(), 150u);
}

TEST_F(ResultAccountTest, ResultsSayHowMuchMoreTheNextOnesNeed) {
  ResultAccount account(&ledger_, "a", 10'000, 100);
  account.Reserve(4);
  account.Widen(1);
  account.Arrive(1, 800, 800);
  account.Narrow(1);
  account.MakeSpare(800);
  // 1,000 each, of which 900 more; and 9,000 beyond, of the tenant's 32,000.
  EXPECT_EQ(account.WholeRoom(), 3u);
  EXPECT_EQ(account.Widen(10), 3u);
  account.Narrow(3);
  EXPECT_EQ(account.Room(), 197u);
}

TEST_F(ResultAccountTest, AJobThatHoldsNothingWidensOneWhateverOthersHold) {
  ResultAccount other(&ledger_, "b", 30'000);
  ResultAccount account(&ledger_, "a", 50'000, 100);
  EXPECT_EQ(account.Reserve(3), 3u);
  other.Arrive(0, 60'000, 30'000);
  EXPECT_EQ(account.Widen(3), 1u);
  EXPECT_EQ(account.WholeRoom(), 0u);
  account.Arrive(1, 50'000, 50'000);
  account.Narrow(1);
  EXPECT_EQ(account.WholeRoom(), 0u) << "until its reader has that";
  account.MakeSpare(50'000);
  EXPECT_EQ(account.WholeRoom(), 1u);
}

// Results were small. Then every job takes all that it gets, and all that comes is as large as it
// may be.
TEST_F(ResultAccountTest, JobsHoldTwiceTheBoundsAndOneResultEachAtMost) {
  constexpr uint64_t kMost = 9'000;
  constexpr uint64_t kPart = 300;
  constexpr uint64_t kSmall = 400;
  std::vector<std::unique_ptr<ResultAccount>> accounts;
  for (int i = 0; i < 12; ++i) {
    const std::string tenant = i % 2 == 0 ? "a" : "b";
    accounts.push_back(std::make_unique<ResultAccount>(&ledger_, tenant, kMost, kPart));
    ResultAccount& account = *accounts.back();
    ASSERT_EQ(account.Reserve(1), 1u);
    ASSERT_EQ(account.Widen(1), 1u);
    account.Arrive(1, kSmall, kSmall);
    account.Narrow(1);
    account.MakeSpare(kSmall);
    account.DropSpare(kSmall);
  }
  std::vector<uint64_t> widened;
  for (const auto& account : accounts) {
    account->Reserve(20);
    widened.push_back(account->Widen(account->reserved()));
    EXPECT_GE(widened.back(), account->reserved() > 0 ? 1u : 0u) << "whatever others have";
  }
  for (size_t i = 0; i < accounts.size(); ++i) {
    const uint64_t reserved = accounts[i]->reserved();
    const uint64_t parts = reserved - std::min(reserved, widened[i]);
    accounts[i]->Arrive(reserved, widened[i] * kMost + parts * kPart, kMost);
    accounts[i]->Narrow(widened[i]);
  }
  EXPECT_LE(ledger_.bytes(), 2 * kAll + accounts.size() * kMost);
  EXPECT_GT(ledger_.bytes(), kAll);
  for (const auto& account : accounts) account->MakeSpare(account->kept());
  for (const auto& account : accounts) EXPECT_GT(account->WholeRoom(), 0u);
}

TEST_F(ResultAccountTest, WhatItHoldsIsGivenBack) {
  {
    ResultAccount account(&ledger_, "a", 1'000);
    account.Arrive(0, 5'000, 1'000);
    account.MakeSpare(2'000);
    account.Reserve(3);
    account.Widen(2);
  }
  EXPECT_EQ(ledger_.bytes(), 0u);
  EXPECT_EQ(ledger_.Free("a", 0), 20'000u);
}

}  // namespace
}  // namespace wb
