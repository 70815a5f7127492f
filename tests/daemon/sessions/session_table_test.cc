// Which sessions are open, whose they are, and what is said of those that are not any more.

#include "daemon/sessions/session_table.h"

#include <gtest/gtest.h>

#include <limits>
#include <optional>
#include <set>
#include <string>

namespace wb {
namespace {

constexpr int64_t kSecondNs = 1'000'000'000;

class SessionTableTest : public testing::Test {
 protected:
  SessionInfo Open(const std::string& tenant, int64_t now, int64_t idle_s = 60) {
    return table_.Open(TermsOf(tenant, idle_s), now * kSecondNs).value();
  }
  static SessionTerms TermsOf(const std::string& tenant, int64_t idle_s = 60) {
    SessionTerms terms;
    terms.tenant = tenant;
    terms.idle_ns = idle_s * kSecondNs;
    terms.residents =
        std::make_shared<ResidentInstances>(1, 1 << 20, std::make_shared<ResidentBudget>(1 << 20));
    return terms;
  }
  std::string WordsOf(const std::string& id, const std::string& tenant) {
    const Status status = table_.Get(id, tenant).status();
    EXPECT_EQ(status.reason(), Reason::kNotFound);
    return status.message();
  }

  std::set<std::string> running_;  // jobs
  SessionTable table_{2, [this](const std::string& job) { return running_.count(job) > 0; }};
};

TEST_F(SessionTableTest, ATenantHasSoManyAndSeesItsOwn) {
  const SessionInfo first = Open("one", 1);
  const SessionInfo second = Open("one", 1);
  const Status third = table_.Open(TermsOf("one"), kSecondNs).status();
  EXPECT_EQ(third.reason(), Reason::kQueueFull);
  EXPECT_NE(third.message().find("[2]"), std::string::npos) << third.message();
  const SessionInfo other = Open("two", 1);
  EXPECT_TRUE(table_.Get(first.id, "one").ok());
  EXPECT_TRUE(table_.Get(first.id, std::nullopt).ok());
  // As one that never was.
  EXPECT_NE(WordsOf(first.id, "two").find("no such session"), std::string::npos);
  ASSERT_EQ(table_.List("one", "", 10).size(), 2u);
  EXPECT_EQ(table_.List("one", "", 10)[0].id, second.id);
  EXPECT_EQ(table_.List(std::nullopt, other.id, 1)[0].id, second.id);
  EXPECT_EQ(table_.List(std::nullopt, "", 10).size(), 3u);
  ASSERT_TRUE(table_.Close(first.id, "It was closed.").ok());
  EXPECT_TRUE(table_.Open(TermsOf("one"), kSecondNs).ok());
}

TEST_F(SessionTableTest, OneThatNobodyUsesClosesAndSaysSo) {
  const SessionInfo idle = Open("one", 0);
  const SessionInfo used = Open("one", 0);
  table_.Touched(used.id, 30 * kSecondNs);
  EXPECT_TRUE(table_.CloseIdle(59 * kSecondNs).empty());
  ASSERT_EQ(table_.CloseIdle(60 * kSecondNs).size(), 1u);
  EXPECT_NE(WordsOf(idle.id, "one").find("not been used for 60 s"), std::string::npos);
  EXPECT_EQ(WordsOf(idle.id, "two").find("60 s"), std::string::npos);
  EXPECT_EQ(table_.size(), 1u);
  EXPECT_EQ(table_.CloseIdle(90 * kSecondNs).size(), 1u);
}

TEST_F(SessionTableTest, WhileACallRunsItIsUsed) {
  const SessionInfo session = Open("one", 0);
  ASSERT_TRUE(table_.Take(session.id).ok());
  EXPECT_EQ(table_.Take(session.id).reason(), Reason::kJobRunning);
  EXPECT_TRUE(table_.CloseIdle(1000 * kSecondNs).empty());
  running_.insert("job");
  EXPECT_TRUE(table_.Called(session.id, "job", "id", 0));
  const Status busy = table_.Take(session.id);
  EXPECT_EQ(busy.reason(), Reason::kJobRunning);
  EXPECT_NE(busy.message().find("jobs/job"), std::string::npos) << busy.message();
  EXPECT_TRUE(table_.CloseIdle(1000 * kSecondNs).empty());
  running_.clear();
  EXPECT_TRUE(table_.CloseIdle(1059 * kSecondNs).empty());
  ASSERT_TRUE(table_.Take(session.id).ok());
  table_.Release(session.id, 1059 * kSecondNs);
  EXPECT_EQ(table_.Get(session.id, "one")->calls, 1u);
  EXPECT_EQ(table_.Get(session.id, "one")->request_id, "id");
}

TEST_F(SessionTableTest, OneThatWasClosedTakesNoCall) {
  const SessionInfo session = Open("one", 0);
  ASSERT_TRUE(table_.Take(session.id).ok());
  ASSERT_TRUE(table_.Close(session.id, "It was closed by a caller.").ok());
  EXPECT_FALSE(table_.Called(session.id, "job", "", 0));
  EXPECT_EQ(table_.Take(session.id).reason(), Reason::kNotFound);
  EXPECT_EQ(table_.Close(session.id, "").status().reason(), Reason::kNotFound);
  EXPECT_NE(WordsOf(session.id, "one").find("closed by a caller"), std::string::npos);
}

}  // namespace
}  // namespace wb
