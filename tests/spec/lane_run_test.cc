#include "tests/spec/lane_run.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/spec/build_pool.h"
#include "tests/spec/wast_file.h"

namespace wb::spec {
namespace {

EncodedProgram TwoSteps() {
  EncodedProgram program;
  program.steps = {{{ValueType::kI64}, 0, 2}, {{ValueType::kI32}, 5, 6}};
  program.register_words = 9;
  return program;
}

std::vector<uint32_t> Record(std::initializer_list<uint32_t> registers) {
  std::vector<uint32_t> record(abi::RECORD_REGISTERS);
  record.insert(record.end(), registers);
  return record;
}

TEST(DecodeRecord, StepsThatReturnedAndTrapped) {
  auto record = Record({7, 1, 0, 0, 0, 0, 3, 0, 0, 0x04030201, 5});
  record[abi::RECORD_STEP] = 3;
  record[abi::RECORD_FUEL_LO] = 9;
  record[abi::RECORD_FUEL_HI] = 1;
  record[abi::RECORD_OUT_BYTES] = 5;
  const Observed seen = DecodeRecord(record, TwoSteps());
  EXPECT_TRUE(seen.instantiated);
  EXPECT_EQ(seen.fuel, (uint64_t{1} << 32) + 9);
  ASSERT_EQ(seen.steps.size(), 2u);
  EXPECT_TRUE(seen.steps[0].reached);
  EXPECT_EQ(seen.steps[0].results[0], Value::I64((uint64_t{1} << 32) + 7));
  EXPECT_EQ(seen.steps[1].trap, Trap::kDivideByZero);
  EXPECT_EQ(seen.output, (Bytes{1, 2, 3, 4, 5}));
}

TEST(DecodeRecord, StepsBeyondTheEndAreNotReached) {
  auto record = Record({0, 0, 0, 0, 0, 0, 0, 0, 0});
  record[abi::RECORD_END] = static_cast<uint32_t>(End::kOutOfFuel);
  record[abi::RECORD_STEP] = 2;  // in the second step
  const Observed seen = DecodeRecord(record, TwoSteps());
  EXPECT_TRUE(seen.instantiated);
  EXPECT_TRUE(seen.steps[0].reached);
  EXPECT_FALSE(seen.steps[1].reached);
  record[abi::RECORD_STEP] = 0;
  EXPECT_FALSE(DecodeRecord(record, TwoSteps()).instantiated);
}

TEST(CompareRecords, NamesTheFirstWordThatDiffers) {
  std::vector<uint32_t> a = Record({1, 2, 3});
  EXPECT_TRUE(CompareRecords("Both", a, a).ok());
  std::vector<uint32_t> b = a;
  b[abi::RECORD_REGISTERS + 1] = 9;
  EXPECT_EQ(CompareRecords("Both", a, b).message(), "Both differ in record word [" +
                                                        std::to_string(abi::RECORD_REGISTERS + 1) +
                                                        "]: [2] and [9]; fuel [0] and [0].");
  b.pop_back();
  EXPECT_FALSE(CompareRecords("Both", a, std::span(b).first(3)).ok());
}

TEST(LeavingSlice, TinyForLongAndThenGrows) {
  EXPECT_EQ(LeavingSlice(0), 1u);
  EXPECT_EQ(LeavingSlice(4095), 1u);
  EXPECT_EQ(LeavingSlice(4096), 2u);
  EXPECT_EQ(LeavingSlice(1 << 20), uint64_t{1} << 40);
}

TEST(BinaryStore, KeepsFindsAndDistrusts) {
  const auto folder = TemporaryFolder::Make();
  ASSERT_TRUE(folder.ok());
  const BinaryStore store(folder->path());
  const Digest key = Sha256(AsBytes("key"));
  EXPECT_FALSE(store.Find(key).has_value());
  store.Keep(key, AsBytes("binary"));
  ASSERT_TRUE(store.Find(key).has_value());
  EXPECT_EQ(AsText(*store.Find(key)), "binary");
  std::filesystem::resize_file(folder->path() / key.Hex(), 35);
  EXPECT_FALSE(store.Find(key).has_value());
}

}  // namespace
}  // namespace wb::spec
