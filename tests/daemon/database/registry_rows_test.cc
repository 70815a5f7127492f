// What every Registry keeps: over SQLite and over PostgreSQL.

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "daemon/store/owners.h"
#include "daemon/store/tokens.h"
#include "tests/daemon/postgres/state_home.h"

namespace wb {
namespace {

class RegistryRowsTest : public test::StateTest {
 protected:
  void TearDown() override { registry_.reset(); }
  void Open() {
    registry_.reset();
    auto state = home_.Open();
    ASSERT_TRUE(state.ok()) << state.status().message();
    registry_ = state->registry;
  }

  std::shared_ptr<Registry> registry_;
};

INSTANTIATE_TEST_SUITE_P(Stores, RegistryRowsTest,
                         testing::Values(test::StoreKind::kSqlite, test::StoreKind::kPostgres),
                         test::StoreKindName);

TEST_P(RegistryRowsTest, TokensOutliveTheDaemonAndTheirSecretsAreNotThere) {
  const auto now = [] { return int64_t{1000}; };
  Open();
  TokenRecord wish;
  wish.tenant = "shop";
  wish.role = Role::kOperator;
  wish.note = "of the night shift";
  wish.expire_unix_ns = 5000;
  TokenTable table;
  const Tokens::Made made = Tokens(registry_, &table, now).Make(wish).value();
  ASSERT_TRUE(Tokens(registry_, &table, now).Make({}).ok());
  Open();
  TokenTable again;
  ASSERT_TRUE(Tokens(registry_, &again, now).Load().ok());
  EXPECT_EQ(again.size(), 2u);
  const TokenRecord found = again.Find(made.text, 1000).value();
  EXPECT_EQ(found.tenant, "shop");
  EXPECT_EQ(found.role, Role::kOperator);
  EXPECT_EQ(found.note, "of the night shift");
  EXPECT_EQ(found.create_unix_ns, 1000);
  EXPECT_EQ(found.expire_unix_ns, 5000);
  if (GetParam() == test::StoreKind::kPostgres) {
    const std::string secret = made.text.substr(21);
    EXPECT_EQ(home_.Sql("SELECT count(*) FROM wasmburst.tokens WHERE encode(secret, 'hex') = '" +
                        secret + "' OR position('" + secret + "' in note) > 0"),
              "0");
  }
  ASSERT_TRUE(Tokens(registry_, &again, now).Revoke(made.token.id).ok());
  EXPECT_EQ(Tokens(registry_, &again, now).Revoke(made.token.id).reason(), Reason::kNotFound);
  Open();
  EXPECT_EQ(registry_->Tokens()->size(), 1u);
}

TEST_P(RegistryRowsTest, ExpiredTokensGoWhenADaemonStarts) {
  Open();
  TokenTable table;
  Tokens tokens(registry_, &table, [] { return int64_t{1000}; });
  TokenRecord wish;
  wish.role = Role::kViewer;
  wish.expire_unix_ns = 2000;
  ASSERT_TRUE(tokens.Make(wish).ok());
  EXPECT_EQ(tokens.List().size(), 1u);
  TokenTable later;
  Tokens loaded(registry_, &later, [] { return int64_t{2000}; });
  ASSERT_TRUE(loaded.Load().ok());
  EXPECT_TRUE(loaded.List().empty());
  EXPECT_TRUE(registry_->Tokens()->empty());
}

TEST_P(RegistryRowsTest, OwnersOutliveTheDaemon) {
  Open();
  const Digest digest = Sha256(AsBytes("wasm"));
  {
    Owners owners(registry_);
    ASSERT_TRUE(owners.Add(OwnedKind::kModule, digest, "anna").ok());
    ASSERT_TRUE(owners.Add(OwnedKind::kModule, digest, "anna").ok());
    ASSERT_TRUE(owners.Add(OwnedKind::kModule, digest, "").ok());
    ASSERT_TRUE(owners.EndAdoption().ok());
    EXPECT_FALSE(owners.Has(OwnedKind::kInput, digest, "anna"));
  }
  Open();
  Owners owners(registry_);
  ASSERT_TRUE(owners.Load().ok());
  EXPECT_FALSE(owners.AdoptsUnowned());
  EXPECT_EQ(owners.count(OwnedKind::kModule), 1u);
  EXPECT_TRUE(owners.Has(OwnedKind::kModule, digest, "anna"));
  EXPECT_FALSE(owners.Has(OwnedKind::kModule, digest, "bert"));
  EXPECT_FALSE(owners.Remove(OwnedKind::kModule, digest, "anna").value());
  EXPECT_TRUE(owners.Remove(OwnedKind::kModule, digest, "").value());
  EXPECT_FALSE(owners.HasAny(OwnedKind::kModule, digest));
  EXPECT_TRUE(registry_->Owners()->empty());
}

TEST_P(RegistryRowsTest, CordonsOutliveTheDaemon) {
  Open();
  ASSERT_TRUE(registry_->AddCordon({"cuda1", 5}).ok());
  ASSERT_TRUE(registry_->AddCordon({"cpu0", 7}).ok());
  ASSERT_TRUE(registry_->AddCordon({"cuda1", 6}).ok());
  Open();
  EXPECT_EQ(registry_->Cordons().value(), (std::vector<CordonRow>{{"cpu0", 7}, {"cuda1", 6}}));
  ASSERT_TRUE(registry_->RemoveCordon("cpu0").ok());
  ASSERT_TRUE(registry_->RemoveCordon("cpu1").ok());
  Open();
  EXPECT_EQ(registry_->Cordons().value(), (std::vector<CordonRow>{{"cuda1", 6}}));
}

}  // namespace
}  // namespace wb
