// Data of which a text has a copy (compiler/docs/read_only_data.md), in lanes: steps of a lane
// program write to it, an instance finds what it has left, and the next one in the lane the
// module's own again.

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/scheduler/devices/rig.h"

namespace wb::test {
namespace {

constexpr const char* kModule = R"((module (memory 1)
  (data (i32.const 4096) "thirty-two bytes of data, and 32thirty-two bytes of data, and 32")
  (func (export "sum") (param $x i32) (result i32) (local $s i32) (local $i i32)
    (loop $l
      (local.set $s (i32.add (i32.mul (local.get $s) (i32.const 31))
        (i32.load8_u offset=4096 (i32.and (local.get $x) (i32.const 63)))))
      (local.set $x (i32.add (local.get $x) (i32.const 1)))
      (br_if $l (i32.ne (local.tee $i (i32.add (local.get $i) (i32.const 1))) (i32.const 64))))
    (local.get $s))
  (func (export "write") (param $at i32) (i32.store8 (local.get $at) (i32.const 7)))))";

class ReadOnlyDataTest : public testing::TestWithParam<size_t> {
 protected:
  static Device& device() { return *Engines()[GetParam()].device; }
  // The sums of each instance, of the calls of `sum` in order.
  static std::vector<std::vector<uint32_t>> Sums(Device& on, const Work& work) {
    const std::vector<uint32_t> records = Records(on, work, {5000, 3, 2000});
    std::vector<std::vector<uint32_t>> sums;
    for (uint32_t seat = 0; seat < work.Shape().Seats(); ++seat) {
      sums.push_back(RecordOf(records, work.Shape(), seat).registers);
    }
    return sums;
  }
  static void ExpectAsOnTheInterpreter(const Work& work) {
    ASSERT_EQ(work.module->program.read_only.from(), 4096u);
    EXPECT_EQ(Sums(device(), work), Sums(Interpreter(), work));
  }
};

// Every other instance writes there, the next in its lane reads.
TEST_P(ReadOnlyDataTest, IsTheModulesOwnForTheNextInstance) {
  Work work = WorkOf(LowerText(kModule), 5);
  work.seats = 60;
  work.columns = {{}};
  for (uint32_t i = 0; i < work.seats; ++i) {
    work.columns[0].push_back(i % 2 == 0 ? 4090 + i : 9000 + i);
  }
  work.steps = {Call("sum", {Arg(3)}), Call("write", {ColumnArg(0)}), Call("sum", {Arg(5)})};
  ExpectAsOnTheInterpreter(work);
  const auto sums = Sums(device(), work);
  EXPECT_EQ(sums[1], sums[59]);
  EXPECT_NE(sums[10], sums[1]) << "what it has written itself";
}

TEST_P(ReadOnlyDataTest, IsWrittenByStepsOfALaneProgram) {
  Work work = WorkOf(LowerText(kModule), 33);
  for (uint32_t i = 0; i < 33; ++i) work.columns[0][i] = 4060 + 4 * i;
  work.steps = {StoreStep{ColumnArg(0), Arg(0x01020304)}, Call("sum", {Arg(0)})};
  ExpectAsOnTheInterpreter(work);
  const auto sums = Sums(device(), work);
  EXPECT_EQ(sums[0], sums[8]) << "in front of it";
  EXPECT_NE(sums[0], sums[9]) << "its first word";
  EXPECT_NE(sums[0], sums[24]) << "its last";
  EXPECT_EQ(sums[0], sums[25]) << "behind it";
}

TEST_P(ReadOnlyDataTest, IsWrittenByInputs) {
  Work work = WorkOf(LowerText(kModule), 33);
  for (uint32_t i = 0; i < 33; ++i) work.columns[0][i] = 4030 + 4 * i;
  work.bytes_columns = 1;
  work.blob_bytes = 64;
  work.columns.emplace_back(33, 2u);   // offset
  work.columns.emplace_back(33, 50u);  // length
  work.steps = {WriteStep{ColumnArg(0), 1}, Call("sum", {Arg(0)})};
  const auto run = [&](Device& on) {
    const auto dispatch = Seat(on, LoadOn(on, work.module), work);
    for (uint8_t& byte : dispatch->blob()) byte = 0x77;
    RunToEnd(on, *dispatch, {5000, 3, 2000});
    return OfInstances(dispatch->records(), work.Shape().RecordWords());
  };
  EXPECT_EQ(run(device()), run(Interpreter()));
}

INSTANTIATE_TEST_SUITE_P(Engines, ReadOnlyDataTest, testing::Range(size_t{0}, kEngines),
                         [](const auto& test) { return Engines()[test.param].name; });

}  // namespace
}  // namespace wb::test
