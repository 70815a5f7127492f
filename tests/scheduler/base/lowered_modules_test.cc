#include "scheduler/base/lowered_modules.h"

#include <gtest/gtest.h>

#include <atomic>
#include <future>
#include <string>
#include <thread>
#include <vector>

#include "scheduler/pipelines/lowering.h"
#include "tests/compiler/wasm/assemble.h"

namespace wb::test {
namespace {

constexpr uint64_t kRoomForAll = uint64_t{1} << 30;

Bytes Wasm(int pages = 1) {
  return MustAssemble("(module (func) (memory " + std::to_string(pages) + "))");
}
std::shared_ptr<const Module> Decoded(int pages = 1) { return Module::Decode(Wasm(pages)).value(); }

class LoweredModulesTest : public ::testing::Test {
 protected:
  LowerCall Counting() {
    return [this](std::shared_ptr<const Module> module, const Stop& stop) {
      ++lowered_;
      return RealLower()(std::move(module), stop);
    };
  }

  std::atomic<int> lowered_{0};
};

TEST_F(LoweredModulesTest, AModuleThatIsDecodedTwiceIsLoweredOnce) {
  LoweredModules modules(kRoomForAll, Counting());
  const auto first = modules.Get(Decoded()).value();
  EXPECT_EQ(modules.Get(Decoded()).value(), first);
  EXPECT_EQ(modules.Load(Wasm()).value(), first);
  EXPECT_NE(modules.Get(Decoded(2)).value(), first);
  EXPECT_EQ(lowered_, 2);
}

TEST_F(LoweredModulesTest, TheSchedulersCompilerFindsWhatAnUploadsCheckLowered) {
  const auto modules = std::make_shared<LoweredModules>(kRoomForAll, Counting());
  const auto checked = modules->Get(Decoded()).value();
  EXPECT_EQ(RealCompiler(modules).lower(Decoded()).value(), checked);
  EXPECT_EQ(lowered_, 1);
}

TEST_F(LoweredModulesTest, ThreadsThatAskForOneModuleAtOnceShareOneLowering) {
  std::promise<void> all_ask;
  LoweredModules modules(kRoomForAll, [&](std::shared_ptr<const Module> module, const Stop& stop) {
    all_ask.get_future().wait();
    return Counting()(std::move(module), stop);
  });
  std::vector<std::future<Result<LoweredModuleRef>>> asked;
  for (int i = 0; i < 4; ++i) {
    asked.push_back(std::async(std::launch::async, [&] { return modules.Get(Decoded()); }));
  }
  all_ask.set_value();
  const LoweredModuleRef first = asked[0].get().value();
  for (int i = 1; i < 4; ++i) EXPECT_EQ(asked[i].get().value(), first);
  EXPECT_EQ(lowered_, 1);
}

TEST_F(LoweredModulesTest, AFailureIsNotRemembered) {
  LoweredModules modules(kRoomForAll, Counting());
  const auto late = modules.Get(Decoded(), [] { return true; });
  EXPECT_EQ(late.status().reason(), Reason::kCompileTimeout);
  EXPECT_TRUE(modules.Get(Decoded()).ok());
  EXPECT_EQ(modules.Load(Bytes{1, 2, 3}).status().reason(), Reason::kWasmMalformed);
  EXPECT_EQ(modules.Load(Bytes{1, 2, 3}).status().reason(), Reason::kWasmMalformed);
}

// The second asks for the module while the first, which lowers it, has not ended.
TEST_F(LoweredModulesTest, ACallerWithoutTimeDoesNotWaitForAnotherThread) {
  std::promise<void> begun, may_end;
  LoweredModules modules(kRoomForAll, [&](std::shared_ptr<const Module> module, const Stop& stop) {
    begun.set_value();
    may_end.get_future().wait();
    return Counting()(std::move(module), stop);
  });
  auto first = std::async(std::launch::async, [&] { return modules.Get(Decoded()); });
  begun.get_future().wait();
  const auto second = modules.Get(Decoded(), [] { return true; });
  EXPECT_EQ(second.status().reason(), Reason::kCompileTimeout);
  may_end.set_value();
  EXPECT_TRUE(first.get().ok());
  EXPECT_EQ(lowered_, 1);
}

TEST_F(LoweredModulesTest, AWaitingCallerLowersAModuleWhoseFirstCallerWasStopped) {
  std::promise<void> begun, may_end;
  LoweredModules modules(
      kRoomForAll,
      [&, is_first = std::make_shared<std::atomic<bool>>(true)](
          std::shared_ptr<const Module> module, const Stop& stop) -> Result<LoweredModuleRef> {
        if (!is_first->exchange(false)) return Counting()(std::move(module), stop);
        begun.set_value();
        may_end.get_future().wait();
        return Status(Reason::kCompileTimeout, "The first caller has no time left.");
      });
  auto first = std::async(std::launch::async, [&] { return modules.Get(Decoded()); });
  begun.get_future().wait();
  auto second = std::async(std::launch::async, [&] { return modules.Get(Decoded()); });
  may_end.set_value();
  EXPECT_FALSE(first.get().ok());
  EXPECT_TRUE(second.get().ok());
  EXPECT_EQ(lowered_, 1);
}

TEST_F(LoweredModulesTest, TheLeastRecentlyUsedModuleIsForgottenFirst) {
  LoweredModules modules(10000, Counting());  // room for two
  (void)modules.Get(Decoded(1));
  (void)modules.Get(Decoded(2));
  (void)modules.Get(Decoded(1));
  (void)modules.Get(Decoded(3));
  EXPECT_EQ(lowered_, 3);
  (void)modules.Get(Decoded(1));
  EXPECT_EQ(lowered_, 3);
  (void)modules.Get(Decoded(2));
  EXPECT_EQ(lowered_, 4);
}

}  // namespace
}  // namespace wb::test
