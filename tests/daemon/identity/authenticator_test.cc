#include "daemon/identity/authenticator.h"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <string>
#include <utility>

#include "daemon/config/default_config.h"

namespace wb {
namespace {

constexpr int64_t kNoon = 1'000'000;

class AuthenticatorTest : public testing::Test {
 protected:
  static IdentityRules Rules() {
    IdentityRules rules;
    rules.own_uid = 100;
    rules.rules.push_back({1001, {}, "", "anna", "render", Role::kOperator});
    rules.rules.push_back({{}, 50, "", "staff", {}, Role::kViewer});
    rules.rules.push_back({{}, {}, "spiffe://x/render", "", "render", Role::kSubmitter});
    return rules;
  }
  static Origin User(uint32_t uid, std::vector<uint32_t> gids, const std::string& name) {
    Origin origin;
    origin.peer = LocalPeer{uid, std::move(gids)};
    origin.user = name;
    return origin;
  }
  // Name, tenant and role in one text.
  std::string Of(const Origin& origin, const Credentials& credentials = {}) const {
    const Result<Caller> caller = authenticator_.Identify(origin, credentials);
    if (!caller.ok()) return std::string(ReasonName(caller.status().reason()));
    return caller->name + " " + caller->tenant + " " + std::string(RoleName(caller->role));
  }
  std::string Add(Role role, int64_t expires) {
    const NewToken made = MakeToken().value();
    tokens_.Add({made.id, made.secret, "shop", role, "", 1, expires});
    return made.text;
  }

  TokenTable tokens_;
  int64_t now_ = kNoon;
  Authenticator authenticator_{Rules(), &tokens_, [this] { return now_; }};
};

TEST_F(AuthenticatorTest, UsersAreWhomTheRulesNameInTheirOrder) {
  EXPECT_EQ(Of(User(1001, {50}, "anna")), "user:anna render operator");
  EXPECT_EQ(Of(User(1002, {7, 50}, "bert")), "user:bert bert viewer");
  EXPECT_EQ(Of(User(1003, {7, 51}, "carl")), "user:carl carl submitter");
}

TEST_F(AuthenticatorTest, TheDaemonsOwnUserAndRootAreAdmins) {
  EXPECT_EQ(Of(User(100, {}, "daemon")), "user:daemon  admin");
  EXPECT_EQ(Of(User(0, {}, "root")), "user:root  admin");
}

TEST_F(AuthenticatorTest, AListenerGivesItsRoleToThoseWhomNoRuleNames) {
  Origin origin = User(1003, {}, "carl");
  origin.role = Role::kViewer;
  origin.tenant = "guests";
  EXPECT_EQ(Of(origin), "user:carl guests viewer");
  origin.peer.reset();
  EXPECT_EQ(Of(origin), "anyone guests viewer");
  EXPECT_EQ(Of({}), "UNAUTHENTICATED");
}

TEST_F(AuthenticatorTest, LocalRoleNoneShutsOthersOut) {
  IdentityRules rules = Rules();
  rules.local_role = Role::kNone;
  authenticator_.SetRules(std::move(rules));
  EXPECT_EQ(Of(User(1003, {}, "carl")), "user:carl carl none");
}

TEST_F(AuthenticatorTest, ACertificateIsWhomARuleNames) {
  EXPECT_EQ(Of({}, {{"spiffe://x/render", "render.example"}, ""}),
            "certificate:spiffe://x/render render submitter");
  EXPECT_EQ(Of({}, {{"spiffe://x/other"}, ""}), "UNAUTHENTICATED");
}

TEST_F(AuthenticatorTest, ATokenGoesBeforeAllElse) {
  const std::string text = Add(Role::kViewer, 0);
  EXPECT_TRUE(Of(User(0, {}, "root"), {{}, "Bearer " + text}).ends_with("shop viewer"));
  // A wrong one is not made up for by who else the caller is.
  std::string wrong = text;
  wrong.back() = wrong.back() == '0' ? '1' : '0';
  EXPECT_EQ(Of(User(0, {}, "root"), {{}, "Bearer " + wrong}), "UNAUTHENTICATED");
  EXPECT_EQ(Of({}, {{}, "Basic " + text}), "UNAUTHENTICATED");
  EXPECT_EQ(Of({}, {{}, text}), "UNAUTHENTICATED");
}

TEST_F(AuthenticatorTest, TokensExpireAndAreRevoked) {
  const std::string text = "Bearer " + Add(Role::kAdmin, kNoon + 1);
  EXPECT_TRUE(Of({}, {{}, text}).ends_with("shop admin"));
  now_ = kNoon + 1;
  EXPECT_EQ(Of({}, {{}, text}), "UNAUTHENTICATED");
  const std::string other = Add(Role::kAdmin, 0);
  EXPECT_TRUE(tokens_.Remove(other.substr(4, 16)));
  EXPECT_EQ(Of({}, {{}, "Bearer " + other}), "UNAUTHENTICATED");
}

TEST(Token, HasItsFormAndIsNeverTheSame) {
  const NewToken one = MakeToken().value();
  const NewToken other = MakeToken().value();
  EXPECT_EQ(one.text.size(), 4 + 16 + 1 + 64u);
  EXPECT_EQ(one.text.substr(4, 16), one.id);
  EXPECT_EQ(one.secret, Sha256(AsBytes(one.text.substr(21))));
  EXPECT_NE(one.text, other.text);
  TokenTable table;
  for (const char* bad : {"", "wbt_", "wbt_0123456789abcdef", "xxx_0123456789abcdef_00"}) {
    EXPECT_NE(table.Find(bad, 0).status().message().find("form"), std::string::npos) << bad;
  }
  EXPECT_NE(table.Find(one.text, 0).status().message().find("not known"), std::string::npos);
}

TEST(Origin, TheKernelSaysWhoIsAtTheOtherEnd) {
  int ends[2];
  ASSERT_EQ(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
  const std::optional<LocalPeer> peer = PeerOf(ends[0]);
  ASSERT_TRUE(peer.has_value());
  EXPECT_EQ(peer->uid, geteuid());
  EXPECT_TRUE(std::binary_search(peer->gids.begin(), peer->gids.end(), getegid()));
  close(ends[0]);
  close(ends[1]);
  EXPECT_FALSE(PeerOf(ends[0]).has_value());
}

TEST(IdentityRules, NamesThatTheMachineDoesNotKnowAreRefused) {
  Config config = DefaultConfig();
  config.identities.push_back({"root", "", "", {}, Role::kViewer});
  config.identities.push_back({"", "", "spiffe://x", {}, Role::kViewer});
  const IdentityRules rules = RulesOf(config).value();
  EXPECT_EQ(rules.rules[0].uid, 0u);
  EXPECT_EQ(rules.own_uid, geteuid());
  config.identities.push_back({"", "no such group", "", {}, Role::kViewer});
  EXPECT_EQ(RulesOf(config).status().reason(), Reason::kConfigInvalid);
}

TEST(Access, EachRoleMayDoWhatThoseBelowItMay) {
  EXPECT_EQ(RoleNeeded("/wasmburst.v1.Jobs/CreateJob"), Role::kSubmitter);
  EXPECT_EQ(RoleNeeded("/wasmburst.v1.Jobs/CreateJobs"), Role::kNone);
  EXPECT_EQ(RoleNeeded("/wasmburst.v1.Jobs"), Role::kNone);
  Caller caller{"user:anna", "anna", Role::kViewer};
  EXPECT_TRUE(CheckAccess(caller, "/wasmburst.v1.Jobs/GetJob").ok());
  const Status refused = CheckAccess(caller, "/wasmburst.v1.Jobs/CreateJob");
  EXPECT_EQ(refused.reason(), Reason::kPermissionDenied);
  EXPECT_NE(refused.message().find("[submitter]"), std::string::npos) << refused.message();
  caller.role = Role::kAdmin;
  EXPECT_TRUE(CheckAccess(caller, "/wasmburst.v1.Jobs/CreateJob").ok());
}

}  // namespace
}  // namespace wb
