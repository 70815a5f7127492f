#include "daemon/process/turns.h"

#include <gtest/gtest.h>

#include <string>

#include "daemon/process/worker_pool.h"
#include "daemon/services/upload_places.h"

namespace wb {
namespace {

class TurnsTest : public testing::Test {
 protected:
  bool Offer(Whose whose, char name) {
    return turns_.Offer(whose, [this, name] { done_ += name; });
  }
  std::string RunAll() {
    while (turns_.size() > 0) turns_.Take()();
    return done_;
  }
  Turns turns_{8};
  std::string done_;
};

TEST_F(TurnsTest, CallersTakeTurnsAndEachKeepsItsOrder) {
  for (const char name : {'a', 'b', 'c'}) EXPECT_TRUE(Offer(1, name));
  EXPECT_TRUE(Offer(2, 'x'));
  EXPECT_TRUE(Offer(3, 'y'));
  EXPECT_EQ(RunAll(), "axybc");
}

TEST_F(TurnsTest, ACallerMayHaveHalfOfWhatOthersLeave) {
  for (int i = 0; i < 4; ++i) EXPECT_TRUE(Offer(1, 'a'));
  EXPECT_FALSE(Offer(1, 'a'));
  for (int i = 0; i < 2; ++i) EXPECT_TRUE(Offer(2, 'b'));
  EXPECT_FALSE(Offer(2, 'b'));
  EXPECT_TRUE(Offer(3, 'c'));
  EXPECT_FALSE(Offer(3, 'c'));
  EXPECT_TRUE(Offer(4, 'd'));
  EXPECT_FALSE(Offer(5, 'e')) << "all is taken";
  turns_.Take();
  EXPECT_TRUE(Offer(5, 'e'));
}

TEST_F(TurnsTest, WhatIsAddedIsTakenWhateverWaits) {
  for (int i = 0; i < 20; ++i) turns_.Add(1, [this] { done_ += 'a'; });
  EXPECT_EQ(RunAll(), std::string(20, 'a'));
}

TEST(WorkerPool, RefusesWhenItIsFullOrStopped) {
  WorkerPool pool(0, 2);
  EXPECT_TRUE(pool.TryPost(1, [] {}));
  EXPECT_FALSE(pool.TryPost(1, [] {}));
  EXPECT_TRUE(pool.TryPost(2, [] {}));
  pool.Stop();
  EXPECT_FALSE(pool.TryPost(3, [] {}));
}

TEST(UploadPlaces, AConnectionMayHaveHalfOfWhatOthersLeave) {
  auto places = std::make_shared<UploadPlaces>(4, "modules.max_uploads");
  auto first = places->Take(1).value();
  auto second = places->Take(1).value();
  const Status refused = places->Take(1).status();
  EXPECT_EQ(refused.reason(), Reason::kQueueFull);
  EXPECT_NE(refused.message().find("modules.max_uploads [4]"), std::string::npos)
      << refused.message();
  EXPECT_TRUE(places->Take(2).ok());
  second.reset();
  EXPECT_TRUE(places->Take(1).ok());
}

}  // namespace
}  // namespace wb
