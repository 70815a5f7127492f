#include "daemon/store/request_ledger.h"

#include <gtest/gtest.h>

#include "daemon/process/fair_part.h"

namespace wb {
namespace {

Digest KeyOf(const std::string& text) { return Sha256(AsBytes(text)); }

class RequestLedgerTest : public testing::Test {
 protected:
  RequestLedger ledger_{1000, {"Requests", "jobs.max_request_bytes", "Wait."}};
};

TEST(FairPart, IsHalfOfWhatOthersLeave) {
  EXPECT_EQ(FairPart(100, 0), 50u);
  EXPECT_EQ(FairPart(100, 60), 20u);
  EXPECT_EQ(FairPart(100, 99), 1u);
  EXPECT_EQ(FairPart(100, 100), 0u);
  EXPECT_EQ(FairPart(100, 200), 0u);
  EXPECT_EQ(FairPart(1, 0), 1u);
}

TEST_F(RequestLedgerTest, ATenantMayHoldHalfOfWhatOthersLeave) {
  EXPECT_TRUE(ledger_.Hold("hog", {500, {}}).ok());
  EXPECT_EQ(ledger_.Hold("hog", {1, {}}).reason(), Reason::kQueueFull);
  EXPECT_TRUE(ledger_.Hold("other", {250, {}}).ok());
  EXPECT_FALSE(ledger_.Hold("other", {1, {}}).ok());
  EXPECT_TRUE(ledger_.Hold("third", {125, {}}).ok());
  EXPECT_EQ(ledger_.bytes(), 875u);
  ledger_.Drop("hog", {500, {}});
  EXPECT_TRUE(ledger_.Hold("other", {187, {}}).ok());
}

TEST_F(RequestLedgerTest, WhatIsSharedCountsOnceWhileAnyJobHoldsIt) {
  const RequestHolds job{10, {{KeyOf("module"), 300}}};
  for (int i = 0; i < 5; ++i) EXPECT_TRUE(ledger_.Hold("a", job).ok());
  EXPECT_EQ(ledger_.bytes(), 350u);
  EXPECT_TRUE(ledger_.Hold("b", job).ok());
  EXPECT_EQ(ledger_.bytes(), 360u);
  EXPECT_EQ(ledger_.bytes_of("b"), 310u);
  EXPECT_FALSE(ledger_.Hold("a", {10, {{KeyOf("another"), 300}}}).ok());
  for (int i = 0; i < 5; ++i) ledger_.Drop("a", job);
  EXPECT_EQ(ledger_.bytes(), 310u);
  ledger_.Drop("b", job);
  EXPECT_EQ(ledger_.bytes(), 0u);
}

TEST_F(RequestLedgerTest, ARefusalHoldsNothingAndNamesTheBound) {
  const Status status = ledger_.Hold("a", {0, {{KeyOf("module"), 700}}});
  EXPECT_EQ(status.reason(), Reason::kQueueFull);
  EXPECT_EQ(status.message(),
            "Requests of the tenant [a] hold [0] bytes while its jobs have not ended; [700] more "
            "would exceed its share, half of what other tenants leave of jobs.max_request_bytes "
            "[1000]: [500]. Wait.");
  EXPECT_EQ(ledger_.bytes(), 0u);
  EXPECT_TRUE(ledger_.Hold("a", {500, {}}).ok());
}

TEST_F(RequestLedgerTest, JobsThatHoldNothingComeAndGo) {
  EXPECT_TRUE(ledger_.Hold("a", {}).ok());
  EXPECT_TRUE(ledger_.Hold("a", {}).ok());
  ledger_.Drop("a", {});
  ledger_.Drop("a", {});
  EXPECT_EQ(ledger_.bytes_of("a"), 0u);
}

}  // namespace
}  // namespace wb
