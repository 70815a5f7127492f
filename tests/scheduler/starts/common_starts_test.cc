// What CommonStarts makes, remembers, and leaves alone.

#include "scheduler/starts/common_starts.h"

#include <gtest/gtest.h>

#include <atomic>
#include <string>

#include "compiler/link/bundle.h"
#include "tests/scheduler/devices/rig.h"
#include "tests/scheduler/starts/start_rig.h"

namespace wb::test {
namespace {

// Fills a table, then reads at what it is given.
std::string TableModule(const std::string& rounds, const std::string& more = "") {
  return R"((module (memory 1) (global $g (mut i32) (i32.const 1))
    (func (export "run") (param $x i32) (result i32) (local $i i32)
      (loop $l
        (i32.store offset=4096 (i32.shl (local.get $i) (i32.const 2))
          (i32.mul (local.get $i) (i32.const 2654435761)))
        (global.set $g (i32.add (global.get $g) (local.get $i)))
        (br_if $l (i32.ne (local.tee $i (i32.add (local.get $i) (i32.const 1))) (i32.const )" +
         rounds + R"())))
      )" +
         more + R"(
      (i32.add (global.get $g)
        (i32.load offset=4096 (i32.and (i32.shl (local.get $x) (i32.const 2)) (i32.const 252)))))
    (func (export "again") (result i32) (global.get $g))))";
}

class CommonStartsTest : public testing::Test {
 protected:
  LoweredModuleRef Get(const LoweredModuleRef& module, std::vector<uint32_t> also = {}) {
    return starts_.Get(module, {NumberOf(*module, "run"), std::move(also)});
  }
  LoweredModuleRef Get(const std::string& wat) { return Get(LowerText(wat)); }

  std::atomic<int> devices_ = 0;
  std::string log_;
  CommonStarts starts_{std::make_shared<LoweredModules>(),
                       [this](std::function<void()> on_lost) {
                         ++devices_;
                         return InterpreterHere()(std::move(on_lost));
                       },
                       [this](const std::string& line) { log_ += line; }};
};

TEST_F(CommonStartsTest, BeginWithWhatTheBeginningHasLeft) {
  const LoweredModuleRef started = Get(TableModule("64"));
  ASSERT_NE(started, nullptr);
  const ir::Image& image = started->program.image;
  ASSERT_EQ(image.memory.size(), 1u);
  EXPECT_EQ(image.memory[0].address, 4100u);  // the first word is 0
  EXPECT_EQ(image.memory[0].bytes.size(), 63u * 4);
  EXPECT_EQ(image.globals[0], 1u + 63 * 64 / 2);
  // 64 rounds of 18 operators, and the block behind the loop, which is paid as it is entered.
  EXPECT_EQ(started->program.module->common_start->fuel, 64u * 18 + 8);
}

// Few zeros stay in a range, many divide two; the last word of memory is one.
TEST_F(CommonStartsTest, PicturesLeaveZerosOut) {
  const LoweredModuleRef started = Get(TableModule("64", R"(
      (i32.store8 (i32.const 103) (i32.const 1)) (i32.store8 (i32.const 160) (i32.const 2))
      (i32.store8 (i32.const 260) (i32.const 3)) (i32.store8 (i32.const 65535) (i32.const 4)))"));
  ASSERT_NE(started, nullptr);
  std::vector<std::pair<uint32_t, size_t>> ranges;
  for (const ir::MemoryRange& range : started->program.image.memory) {
    ranges.emplace_back(range.address, range.bytes.size());
  }
  const std::vector<std::pair<uint32_t, size_t>> wanted = {
      {100, 64}, {260, 4}, {4100, 63 * 4}, {65532, 4}};
  EXPECT_EQ(ranges, wanted);
}

TEST_F(CommonStartsTest, AreMadeOnce) {
  const LoweredModuleRef module = LowerText(TableModule("64"));
  EXPECT_EQ(Get(module), Get(module));
  EXPECT_EQ(devices_, 1);
  // With other functions that may be called it is another module.
  EXPECT_NE(Get(module), Get(module, {NumberOf(*module, "again")}));
  EXPECT_EQ(devices_, 2);
}

TEST_F(CommonStartsTest, TravelAsBytes) {
  const LoweredModuleRef started = Get(TableModule("64"));
  const Module& module = *started->program.module;
  const auto again = LoadModule(module.binary()).value();
  EXPECT_EQ(again->digest(), module.digest());
  EXPECT_EQ(EmitKernel(*Lower(again).value(), {}).value().text,
            EmitKernel(*started, {}).value().text);
}

TEST_F(CommonStartsTest, AreNoneWhereLittleIsDone) {
  EXPECT_EQ(Get(TableModule("16")), nullptr);
  EXPECT_EQ(devices_, 1);  // its fuel tells
  EXPECT_EQ(Get(TableModule("16")), nullptr);
  EXPECT_EQ(devices_, 1);  // remembered
}

TEST_F(CommonStartsTest, AreNoneBeyondTheirFuel) {
  EXPECT_EQ(Get(TableModule("64",
                            "(local.set $i (i32.const 0)) (loop $m (br_if $m (i32.ne "
                            "(local.tee $i (i32.add (local.get $i) (i32.const 1))) "
                            "(i32.const 100000000))))")),
            nullptr);
  EXPECT_EQ(log_, "");  // no fault
}

TEST_F(CommonStartsTest, AreNoneWhereTheBeginningTrapsOrGoesAround) {
  EXPECT_EQ(Get(TableModule("64", "(drop (i32.div_u (i32.const 1) (i32.const 0)))")), nullptr);
  EXPECT_EQ(Get(TableModule("64", "(if (global.get $g) (then (return (i32.const 3))))")), nullptr);
  EXPECT_EQ(log_, "");
}

TEST_F(CommonStartsTest, SayWhenTheirDeviceFails) {
  CommonStarts failing(
      std::make_shared<LoweredModules>(),
      [](const std::function<void()>&) -> Result<StartedDevice> {
        return Status(Reason::kDeviceLost, "no process");
      },
      [this](const std::string& line) { log_ += line; });
  const LoweredModuleRef module = LowerText(TableModule("64"));
  EXPECT_EQ(failing.Get(module, {NumberOf(*module, "run"), {}}), nullptr);
  EXPECT_NE(log_.find("is not used: no process"), std::string::npos) << log_;
}

}  // namespace
}  // namespace wb::test
