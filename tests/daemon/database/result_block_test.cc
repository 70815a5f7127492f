#include "daemon/database/result_block.h"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <string_view>
#include <utility>

#include "daemon/database/packed_numbers.h"
#include "tests/fakes/random_results.h"

namespace wb {
namespace {

using test::ExpectSame;
using test::RandomResults;

Bytes BlockOf(const std::vector<InstanceResult>& results) {
  return ResultBlock(ResultBatch(results), 0, results.size());
}

TEST(ResultBlock, ReadsWhatWasWritten) {
  for (uint64_t seed = 1; seed <= 50; ++seed) {
    const std::vector<InstanceResult> results = RandomResults(seed).Make(seed * 3);
    const auto read = ReadResultBlock(BlockOf(results), 0, UINT64_MAX);
    ASSERT_TRUE(read.ok()) << read.status().message();
    ASSERT_EQ(read->size(), results.size());
    for (size_t i = 0; i < results.size(); ++i) ExpectSame(results[i], read->results.At(i));
  }
}

TEST(ResultBlock, HoldsAPartOfABatch) {
  const std::vector<InstanceResult> results = RandomResults(9).Make(200);
  const ResultBatch batch(results);
  for (const auto& [from, to] : {std::pair(0, 1), {30, 77}, {77, 200}, {199, 200}}) {
    const auto read = ReadResultBlock(ResultBlock(batch, from, to), 0, UINT64_MAX);
    ASSERT_TRUE(read.ok()) << read.status().message();
    ASSERT_EQ(read->size(), static_cast<size_t>(to - from));
    for (int i = from; i < to; ++i) ExpectSame(results[i], read->results.At(i - from));
  }
}

TEST(ResultBlock, ReadsBehindTheFirst) {
  const std::vector<InstanceResult> results = RandomResults(1).Make(100);
  const auto read = ReadResultBlock(BlockOf(results), 30, UINT64_MAX);
  ASSERT_TRUE(read.ok());
  ASSERT_EQ(read->size(), 70u);
  ExpectSame(results[30], read->results.At(read->from));
  EXPECT_EQ(ReadResultBlock(BlockOf(results), 200, UINT64_MAX)->size(), 0u);
}

// Most results: a value of 32 bits, little fuel.
TEST(ResultBlock, SmallResultsTakeAFewBytes) {
  std::vector<InstanceResult> results(1000);
  for (size_t i = 0; i < results.size(); ++i) {
    results[i].instance = i;
    results[i].fuel = 1000 + i % 200;
    results[i].device = "cuda0";
    results[i].steps.emplace_back().values.push_back(Value::I32(static_cast<uint32_t>(i) * 12345));
  }
  EXPECT_LT(BlockOf(results).size(), 6 * results.size());
}

TEST(ResultBlock, ARangeIsMadeWhenItIsRead) {
  const Bytes block = RangeBlock({1000, uint64_t{1} << 40, 3, End::kExpired});
  EXPECT_LT(block.size(), 20u);
  const auto read = ReadResultBlock(block, 5, 10);
  ASSERT_TRUE(read.ok());
  ASSERT_EQ(read->size(), 10u);
  const InstanceResult first = read->results.At(read->from);
  EXPECT_EQ(first.instance, 1005u);
  EXPECT_EQ(first.end, End::kExpired);
  EXPECT_EQ(first.attempt, 3u);
}

TEST(ResultBlock, DamagedBytesAreRefusedOrRead) {
  const std::vector<InstanceResult> results = RandomResults(7).Make(40);
  const Bytes block = BlockOf(results);
  for (size_t size = 0; size < block.size(); ++size) {
    EXPECT_FALSE(ReadResultBlock(ByteView(block).first(size), 0, UINT64_MAX).ok()) << size;
  }
  // What stands there may still be a block: the checksum of the store tells.
  std::mt19937_64 random(3);
  for (int i = 0; i < 5000; ++i) {
    Bytes damaged = block;
    damaged[random() % damaged.size()] ^= static_cast<uint8_t>(1u << random() % 8);
    (void)ReadResultBlock(damaged, 0, 1000);
  }
}

// What lies in databases from before there were columns: row after row.
std::vector<InstanceResult> ResultsInRows() {
  std::vector<InstanceResult> results(5);
  for (size_t i = 0; i < results.size(); ++i) {
    results[i].instance = 10 + i;
    results[i].fuel = 300 * i;
    results[i].memory_pages = 1;
    results[i].device = "cpu0";
    results[i].build = KernelBuild::kFull;
    results[i].steps.emplace_back().values.push_back(Value::I64(uint64_t{i} << 33));
  }
  InstanceResult& trapped = results[2];
  trapped.instance = 7;
  trapped.attempt = 2;
  trapped.end = End::kTrapped;
  trapped.trap = Trap::kOutOfBoundsMemory;
  trapped.trap_function = 3;
  trapped.trap_offset = 77;
  trapped.trap_module = "main";
  trapped.steps.clear();
  trapped.host_error = "none";
  trapped.backtrace = {{1, 2, "main"}};
  results[3].steps[0] = {};
  results[3].steps[0].trap = Trap::kUnreachable;
  results[3].outputs.push_back({"out", {1, 2, 3}});
  return results;
}

constexpr std::string_view kBlockOfRows =
    "010504000463707530046d61696e036f7574101601000000000000000100030001010001020000000000000000"
    "23ac0200000000020000000807020102034d000200010003d80400046e6f6e650001010202040c010000000000"
    "0000010003840701010000000001030301020323b0090000000008000000";

Bytes BytesOfHex(std::string_view hex) {
  Bytes bytes;
  for (size_t i = 0; i < hex.size(); i += 2) {
    bytes.push_back(static_cast<uint8_t>(std::stoi(std::string(hex.substr(i, 2)), nullptr, 16)));
  }
  return bytes;
}

TEST(ResultBlock, BlocksOfRowsAreReadStill) {
  const Bytes block = BytesOfHex(kBlockOfRows);
  const auto read = ReadResultBlock(block, 0, UINT64_MAX);
  ASSERT_TRUE(read.ok()) << read.status().message();
  const std::vector<InstanceResult> results = ResultsInRows();
  ASSERT_EQ(read->size(), results.size());
  for (size_t i = 0; i < results.size(); ++i) ExpectSame(results[i], read->results.At(i));
  for (size_t size = 0; size < block.size(); ++size) {
    EXPECT_FALSE(ReadResultBlock(ByteView(block).first(size), 0, UINT64_MAX).ok()) << size;
  }
}

TEST(PackedNumbers, OfAllWidths) {
  std::mt19937_64 random(5);
  for (const uint64_t spread : {uint64_t{0}, uint64_t{255}, uint64_t{256}, uint64_t{65535},
                                uint64_t{65536}, uint64_t{UINT32_MAX}, uint64_t{1} << 32}) {
    std::vector<uint64_t> numbers(100, UINT64_MAX - spread);
    for (uint64_t& number : numbers) number += spread == 0 ? 0 : random() % (spread + 1);
    numbers[50] = UINT64_MAX;
    ByteWriter out;
    PutPacked(std::span<const uint64_t>(numbers), &out);
    const Bytes bytes = std::move(out).Take();
    ByteReader in(bytes);
    EXPECT_EQ(GetPacked64(numbers.size(), &in), numbers) << spread;
    EXPECT_TRUE(in.is_done());
  }
}

TEST(PackedNumbers, WhatIsTooLargeFails) {
  for (const auto& [least, width] : {std::pair(uint64_t{1} << 32, 0), {7, 3}, {7, 8}}) {
    ByteWriter out;
    out.Number(least);
    out.Byte(static_cast<uint8_t>(width));
    out.Raw(Bytes(100));
    const Bytes bytes = std::move(out).Take();
    ByteReader in(bytes);
    (void)GetPacked32(4, &in);
    EXPECT_FALSE(in.ok()) << least << ' ' << width;
  }
}

}  // namespace
}  // namespace wb
