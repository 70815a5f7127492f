// Which jobs may have a common start.

#include "scheduler/starts/start_call.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "tests/compiler/wasm/assemble.h"

namespace wb::test {
namespace {

constexpr std::string_view kModule = R"((module (memory 1)
  (func (export "a") (param i32) (result i32) (local.get 0))
  (func (export "b"))
  (func (export "c"))))";

class StartCallTest : public testing::Test {
 protected:
  StartCallTest() {
    spec_.module = Module::Decode(MustAssemble(kModule)).value();
    Calls({"a"});
    spec_.instances = 4;
  }
  void Calls(const std::vector<std::string>& functions) {
    spec_.steps.clear();
    for (const std::string& function : functions) {
      CallStep call{function, {}, false};
      if (function == "a") call.args.emplace_back().value = Value::I32(1);
      spec_.steps.emplace_back(std::move(call));
    }
  }
  std::optional<StartCall> Found() const { return StartCallOf(PlanJob(spec_, {}).value()); }

  JobSpec spec_;
};

TEST_F(StartCallTest, IsThatOfTheFirstStep) {
  EXPECT_EQ(Found(), (StartCall{0, {}}));
  Calls({"b", "c", "a", "c"});
  EXPECT_EQ(Found(), (StartCall{1, {0, 2}}));
}

TEST_F(StartCallTest, IsNoneWhereTheFunctionIsCalledAgain) {
  Calls({"b", "c", "b"});
  EXPECT_EQ(Found(), std::nullopt);
}

TEST_F(StartCallTest, IsNoneBehindAWrite) {
  StoreStep store;
  store.pointer.value = Value::I32(0);
  store.value.value = Value::I32(1);
  spec_.steps.insert(spec_.steps.begin(), store);
  EXPECT_EQ(Found(), std::nullopt);
  std::swap(spec_.steps[0], spec_.steps[1]);
  EXPECT_EQ(Found(), (StartCall{0, {}}));
}

TEST_F(StartCallTest, IsNoneWithLimitsBelowWhatAStartMayCost) {
  spec_.limits.max_fuel = kMostStartFuel - 1;
  EXPECT_EQ(Found(), std::nullopt);
  spec_.limits.max_fuel = kMostStartFuel;
  EXPECT_NE(Found(), std::nullopt);
  spec_.limits.max_stack = kMostStartStack - 1;
  EXPECT_EQ(Found(), std::nullopt);
}

}  // namespace
}  // namespace wb::test
