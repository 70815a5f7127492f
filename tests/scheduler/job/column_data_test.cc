#include "scheduler/job/column_data.h"

#include <gtest/gtest.h>

#include <cstring>

#include "scheduler/job/job_plan.h"
#include "tests/scheduler/scheduler_rig.h"

namespace wb::test {
namespace {

ByteBlock BlockOf(std::string_view bytes) {
  ByteBlock block = ByteBlock::Of(bytes.size());
  std::memcpy(block.bytes.get(), bytes.data(), bytes.size());
  return block;
}

Column ListOf(ValueType type, std::string_view bytes) {
  const uint32_t width = type == ValueType::kI32 || type == ValueType::kF32 ? 4 : 8;
  Column column;
  column.kind = Column::Kind::kList;
  column.type = type;
  column.data = ColumnData::Numbers(BlockOf(bytes), width, bytes.size() / width);
  return column;
}

TEST(ColumnData, NumbersHaveTheColumnsType) {
  const Column small = ListOf(ValueType::kF32, std::string_view("\0\0\x80\x3f\xff\xff\xff\xff", 8));
  EXPECT_EQ(small.count(), 2u);
  EXPECT_EQ(small.At(0), Value::F32(1.0f));
  EXPECT_EQ(small.At(1).type, ValueType::kF32);
  EXPECT_EQ(small.At(1).words[0], 0xffffffffu);
  const Column large = ListOf(ValueType::kI64, "\1\2\3\4\5\6\7\x88");
  EXPECT_EQ(large.At(0), Value::I64(0x8807060504030201));
}

TEST(ColumnData, StringsLieOneBehindTheOther) {
  Column column;
  column.kind = Column::Kind::kBytes;
  column.data = ColumnData::Strings(BlockOf("abcdef"), {1, 1, 6});
  EXPECT_EQ(column.count(), 3u);
  EXPECT_EQ(AsText(column.BytesAt(0)), "a");
  EXPECT_EQ(AsText(column.BytesAt(1)), "");
  EXPECT_EQ(AsText(column.BytesAt(2)), "bcdef");
  EXPECT_EQ(column.LongestBytes(), 5u);
  column.data = ColumnData::Strings(BlockOf("all"), {3});
  EXPECT_EQ(AsText(column.BytesAt(7)), "all") << "one is for all instances";
}

TEST(ColumnData, AJobIsPlannedAsWithValuesOfItsOwn) {
  JobSpec spec;
  spec.module = ModuleOf(R"((module (memory 1)
      (func (export "f") (param i32) (result i32) (local.get 0))))");
  CallStep call{"f", {}, false};
  call.args = {{Operand::Source::kColumn, {}, 0, 0, 0}};
  spec.steps = {call};
  spec.instances = 2;
  spec.columns = {ListOf(ValueType::kI32, std::string_view("\1\0\0\0\2\0\0\0", 8))};
  EXPECT_TRUE(PlanJob(spec, {}).ok());
  spec.instances = 3;
  const Status status = PlanJob(spec, {}).status();
  EXPECT_NE(status.message().find("has [2] values; [3] are needed"), std::string::npos)
      << status.message();
  Column bytes;
  bytes.kind = Column::Kind::kBytes;
  bytes.data = ColumnData::Strings(BlockOf(std::string(40, 'x')), {3, 40});
  spec.instances = 2;
  spec.columns.push_back(bytes);
  const JobPlan plan = PlanJob(spec, {}).value();
  EXPECT_FALSE(plan.shared_bytes(1));
  EXPECT_EQ(plan.blob.slot_bytes, 48u);
}

}  // namespace
}  // namespace wb::test
