#include "daemon/process/turns.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "daemon/process/holdings.h"
#include "daemon/process/worker_pool.h"
#include "daemon/services/upload_places.h"

namespace wb {
namespace {

class TurnsTest : public testing::Test {
 protected:
  bool Offer(uint64_t tenant, char name) { return Offer({tenant, 1}, name); }
  bool Offer(Whose whose, char name) {
    return turns_.Offer(whose, [this, name] { done_ += name; });
  }
  std::string RunAll() {
    while (turns_.size() > 0) turns_.Take()();
    return done_;
  }
  Turns turns_{16};
  std::string done_;
};

TEST_F(TurnsTest, ATenantsConnectionsShareItsTurns) {
  for (const char name : {'a', 'b'}) EXPECT_TRUE(Offer({1, 1}, name));
  for (const char name : {'c', 'd'}) EXPECT_TRUE(Offer({1, 2}, name));
  EXPECT_TRUE(Offer({1, 3}, 'e'));
  for (const char name : {'x', 'y', 'z'}) EXPECT_TRUE(Offer({2, 1}, name));
  EXPECT_EQ(RunAll(), "axcyezbd");
}

TEST_F(TurnsTest, AConnectionMayHaveHalfOfWhatItsTenantsOthersLeave) {
  for (int i = 0; i < 4; ++i) EXPECT_TRUE(Offer({1, 1}, 'a'));
  EXPECT_FALSE(Offer({1, 1}, 'a'));
  for (int i = 0; i < 2; ++i) EXPECT_TRUE(Offer({1, 2}, 'b'));
  EXPECT_FALSE(Offer({1, 2}, 'b'));
  EXPECT_TRUE(Offer({1, 3}, 'c'));
  EXPECT_TRUE(Offer({1, 4}, 'd'));
  EXPECT_FALSE(Offer({1, 5}, 'e')) << "the tenant has half";
  EXPECT_TRUE(Offer({2, 1}, 'x'));
}

TEST_F(TurnsTest, TenantsTakeTurnsAndEachKeepsItsOrder) {
  for (const char name : {'a', 'b', 'c'}) EXPECT_TRUE(Offer(1, name));
  EXPECT_TRUE(Offer(2, 'x'));
  EXPECT_TRUE(Offer(3, 'y'));
  EXPECT_EQ(RunAll(), "axybc");
}

TEST_F(TurnsTest, ATenantMayHaveHalfOfWhatOthersLeaveHoweverManyConnectionsItHas) {
  const auto fill = [this](uint64_t tenant) {
    int taken = 0;
    for (uint64_t connection = 1; connection <= 16; ++connection) {
      while (Offer({tenant, connection}, 'a')) ++taken;
    }
    return taken;
  };
  EXPECT_EQ(fill(1), 8);
  EXPECT_EQ(fill(2), 4);
  EXPECT_EQ(fill(3), 2);
  EXPECT_EQ(fill(4), 1);
  EXPECT_EQ(fill(5), 1);
  EXPECT_EQ(fill(6), 0) << "all is taken";
  turns_.Take();
  EXPECT_EQ(fill(6), 1);
}

TEST_F(TurnsTest, WhatIsAddedIsTakenWhateverWaits) {
  for (int i = 0; i < 20; ++i) turns_.Add({1, 1}, [this] { done_ += 'a'; });
  EXPECT_EQ(RunAll(), std::string(20, 'a'));
}

TEST(WorkerPool, RefusesWhenItIsFullOrStopped) {
  WorkerPool pool(0, 4);
  EXPECT_TRUE(pool.TryPost({1, 1}, [] {}));
  EXPECT_FALSE(pool.TryPost({1, 1}, [] {}));
  EXPECT_TRUE(pool.TryPost({2, 2}, [] {}));
  pool.Stop();
  EXPECT_FALSE(pool.TryPost({3, 3}, [] {}));
}

TEST(UploadPlaces, AConnectionMayHaveHalfOfWhatItsTenantsOthersLeave) {
  auto places = std::make_shared<UploadPlaces>(8, "modules.max_uploads");
  auto first = places->Take({1, 1}).value();
  auto second = places->Take({1, 1}).value();
  const Status refused = places->Take({1, 1}).status();
  EXPECT_EQ(refused.reason(), Reason::kQueueFull);
  EXPECT_NE(refused.message().find("modules.max_uploads [8]"), std::string::npos)
      << refused.message();
  EXPECT_TRUE(places->Take({1, 2}).ok());
  second.reset();
  EXPECT_TRUE(places->Take({1, 1}).ok());
}

TEST(UploadPlaces, ATenantOfManyConnectionsLeavesPlacesToTheOthers) {
  auto places = std::make_shared<UploadPlaces>(8, "inputs.max_uploads");
  std::vector<std::shared_ptr<void>> taken;
  const auto take_all = [&](uint64_t tenant) {
    size_t count = 0;
    for (uint64_t connection = 0; connection < 100; ++connection) {
      auto place = places->Take({tenant, connection});
      if (!place.ok()) continue;
      taken.push_back(std::move(place).value());
      ++count;
    }
    return count;
  };
  EXPECT_EQ(take_all(1), 4u);  // half, whatever its connections
  const Status refused = places->Take({1, 100}).status();
  EXPECT_EQ(refused.reason(), Reason::kQueueFull);
  EXPECT_NE(refused.message().find("[4] are of this tenant and [0] of this connection"),
            std::string::npos)
      << refused.message();
  EXPECT_EQ(take_all(2), 2u);
  EXPECT_EQ(take_all(3), 1u);
  EXPECT_EQ(take_all(1), 0u);
  taken.clear();
  EXPECT_EQ(take_all(1), 4u);
}

TEST(Holdings, CountForConnectionTenantAndAll) {
  Holdings held;
  held.Add({1, 1}, 5);
  held.Add({1, 2}, 7);
  held.Add({2, 1}, 11);
  EXPECT_EQ(held.Of({1, 1}).of_connection, 5u);
  EXPECT_EQ(held.Of({1, 1}).of_tenant, 12u);
  EXPECT_EQ(held.Of({3, 1}).of_tenant, 0u);
  held.Remove({1, 1}, 5);
  EXPECT_EQ(held.Of({1, 1}).of_connection, 0u);
  EXPECT_EQ(held.Of({1, 1}).of_tenant, 7u);
  EXPECT_EQ(held.Of({2, 1}).all, 18u);
}

}  // namespace
}  // namespace wb
