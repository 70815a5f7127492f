// Loads, stores and bulk pieces of a lane's memory, for one layout, against a byte array.

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <functional>
#include <random>
#include <string>

#include "tests/compiler/runtime/lane_state.h"
#include "tests/compiler/runtime/layout_under_test.h"

namespace wb {
namespace {

using namespace kernel_text;  // NOLINT: the text under test

constexpr uint32_t kLane = 37;  // of the second group
constexpr uint32_t kLanes = 64;
constexpr uint32_t kBytes = abi::PAGE_BYTES;

class MemoryTest : public ::testing::Test {
 protected:
  MemoryTest() : state_(kLanes, 1), bytes_(kBytes) {
    std::mt19937 random(7);
    for (uint32_t i = 0; i < kBytes; ++i) {
      bytes_[i] = static_cast<uint8_t>(random());
      state_.SetByte(kLane, i, bytes_[i]);
    }
    lane_ = wb_lane_at(state_.data(), kLane, state_.lane_words());
    memory_ = wb_memory(lane_);
    wb_put(lane_, abi::LANE_PAGES, 1);
    before_ = state_.words();
  }

  uint64_t Expected(uint32_t at, uint32_t size) const {
    uint64_t value = 0;
    for (uint32_t i = 0; i < size; ++i) value |= uint64_t{bytes_[at + i]} << (8 * i);
    return value;
  }
  void Store(uint32_t at, uint32_t size, uint64_t value) {
    for (uint32_t i = 0; i < size; ++i) bytes_[at + i] = static_cast<uint8_t>(value >> (8 * i));
  }

  // The lane's memory is as expected and nothing else changed.
  void ExpectMemory(const std::string& what) {
    for (uint32_t i = 0; i < kBytes; ++i) {
      ASSERT_EQ(state_.Byte(kLane, i), bytes_[i]) << what << " at byte " << i;
    }
    LaneState others = state_;
    for (uint32_t word = 0; word < kBytes / 4; ++word) {
      others.Word(kLane, kMemoryAt + word) = before_of(word);
    }
    ASSERT_TRUE(others.words() == before_) << what << " touched words that are not the lane's";
  }

  LaneState state_;
  std::vector<uint8_t> bytes_;
  std::vector<uint32_t> before_;
  wb_lane lane_;
  wb_mem memory_;

 private:
  uint32_t before_of(uint32_t word) {
    if (original_.empty()) {
      LaneState copy(kLanes, 1);
      std::copy(before_.begin(), before_.end(), copy.data());
      for (uint32_t i = 0; i < kBytes / 4; ++i)
        original_.push_back(copy.Word(kLane, kMemoryAt + i));
    }
    return original_[word];
  }
  std::vector<uint32_t> original_;
};

TEST_F(MemoryTest, LoadsAtEveryAlignment) {
  for (uint32_t at : {0u, 1u, 2u, 3u, 4u, 5u, 6u, 7u, 101u, 4094u, kBytes - 8}) {
    for (uint32_t offset : {0u, 1u, 3u}) {
      const uint32_t base = at - std::min(at, offset);
      const uint64_t rest = at - base;
      const uint64_t b1 = Expected(at, 1), b2 = Expected(at, 2), b4 = Expected(at, 4);
      const uint64_t b8 = Expected(at, 8);
      EXPECT_EQ(wb_i32_load(memory_, base, rest), b4);
      EXPECT_EQ(wb_i64_load(memory_, base, rest), b8);
      EXPECT_EQ(wb_i32_load8_u(memory_, base, rest), b1);
      EXPECT_EQ(wb_i32_load16_u(memory_, base, rest), b2);
      EXPECT_EQ(wb_i64_load8_u(memory_, base, rest), b1);
      EXPECT_EQ(wb_i64_load16_u(memory_, base, rest), b2);
      EXPECT_EQ(wb_i32_load8_u_alone(memory_, base, rest), b1);
      EXPECT_EQ(wb_i64_load8_u_alone(memory_, base, rest), b1);
      EXPECT_EQ(wb_i32_load8_s_alone(memory_, base, rest), wb_i32_load8_s(memory_, base, rest));
      EXPECT_EQ(wb_i64_load8_s_alone(memory_, base, rest), wb_i64_load8_s(memory_, base, rest));
      EXPECT_EQ(wb_i64_load32_u(memory_, base, rest), b4);
      EXPECT_EQ(static_cast<int32_t>(wb_i32_load8_s(memory_, base, rest)), static_cast<int8_t>(b1));
      EXPECT_EQ(static_cast<int32_t>(wb_i32_load16_s(memory_, base, rest)),
                static_cast<int16_t>(b2));
      EXPECT_EQ(static_cast<int64_t>(wb_i64_load8_s(memory_, base, rest)), static_cast<int8_t>(b1));
      EXPECT_EQ(static_cast<int64_t>(wb_i64_load16_s(memory_, base, rest)),
                static_cast<int16_t>(b2));
      EXPECT_EQ(static_cast<int64_t>(wb_i64_load32_s(memory_, base, rest)),
                static_cast<int32_t>(b4));
      EXPECT_EQ(std::bit_cast<uint32_t>(wb_f32_load(memory_, base, rest)), b4);
      EXPECT_EQ(std::bit_cast<uint64_t>(wb_f64_load(memory_, base, rest)), b8);
    }
  }
}

TEST_F(MemoryTest, StoresAtEveryAlignment) {
  std::mt19937_64 random(11);
  using Run = std::function<void(uint32_t at, uint64_t value)>;
  const std::vector<std::pair<uint32_t, Run>> stores = {
      {4, [&](uint32_t at, uint64_t v) { wb_i32_store(memory_, at, 0, static_cast<uint>(v)); }},
      {8, [&](uint32_t at, uint64_t v) { wb_i64_store(memory_, at, 0, v); }},
      {1, [&](uint32_t at, uint64_t v) { wb_i32_store8(memory_, at, 0, static_cast<uint>(v)); }},
      {2, [&](uint32_t at, uint64_t v) { wb_i32_store16(memory_, at, 0, static_cast<uint>(v)); }},
      {1, [&](uint32_t at, uint64_t v) { wb_i64_store8(memory_, at, 0, v); }},
      {1,
       [&](uint32_t at, uint64_t v) { wb_i32_store8_alone(memory_, at, 0, static_cast<uint>(v)); }},
      {1, [&](uint32_t at, uint64_t v) { wb_i64_store8_alone(memory_, at, 0, v); }},
      {2, [&](uint32_t at, uint64_t v) { wb_i64_store16(memory_, at, 0, v); }},
      {4, [&](uint32_t at, uint64_t v) { wb_i64_store32(memory_, at, 0, v); }},
      {4, [&](uint32_t at,
              uint64_t v) { wb_f32_store(memory_, at, 0, wb_f32_const(static_cast<uint>(v))); }},
      {8, [&](uint32_t at, uint64_t v) { wb_f64_store(memory_, at, 0, wb_f64_const(v)); }},
  };
  for (const auto& [size, store] : stores) {
    for (uint32_t at : {0u, 1u, 2u, 3u, 4u, 5u, 6u, 7u, 4095u, kBytes - size}) {
      const uint64_t value = random();
      store(at, value);
      Store(at, size, value);
    }
    ASSERT_NO_FATAL_FAILURE(ExpectMemory("a store of " + std::to_string(size) + " bytes"));
  }
}

// memory.copy and memory.fill as emitted code drives them: piece by piece.
TEST_F(MemoryTest, CopiesInPieces) {
  struct Case {
    uint32_t d, s, n;
  };
  for (Case c : {Case{0, 0, 0},
                 {0, 8, 64},
                 {8, 0, 64},
                 {1, 0, 4099},
                 {0, 1, 4099},
                 {3, 2, 9000},
                 {100, 103, 9001},
                 {20000, 100, 12289},
                 {100, 20000, 12289},
                 {4096, 4095, 8192},
                 {7, 7, 5000},
                 {0, 0, kBytes},
                 {kBytes - 5, 0, 5},
                 {kBytes, kBytes, 0}}) {
    std::memmove(bytes_.data() + c.d, std::vector<uint8_t>(bytes_).data() + c.s, c.n);
    while (c.n != 0) {
      const uint32_t piece = std::min<uint32_t>(c.n, abi::BULK_CHUNK_BYTES);
      wb_memory_copy_chunk(memory_, c.d, c.s, c.n);
      if (c.d <= c.s) {
        c.d += piece;
        c.s += piece;
      }
      c.n -= piece;
    }
    ASSERT_NO_FATAL_FAILURE(ExpectMemory("a copy"));
  }
}

TEST_F(MemoryTest, Fills) {
  for (uint32_t at : {0u, 1u, 2u, 3u, 4u, 777u}) {
    for (uint32_t n : {0u, 1u, 2u, 3u, 4u, 5u, 8u, 63u, 4096u}) {
      wb_memory_fill_chunk(memory_, at, 0x1200 + n, n);
      std::fill_n(bytes_.begin() + at, n, static_cast<uint8_t>(n));
    }
    ASSERT_NO_FATAL_FAILURE(ExpectMemory("a fill"));
  }
}

TEST_F(MemoryTest, BoundsAreTestedIn64Bits) {
  EXPECT_FALSE(wb_outside(kBytes, kBytes - 4, 4));
  EXPECT_TRUE(wb_outside(kBytes, kBytes - 3, 4));
  EXPECT_TRUE(wb_outside(kBytes, 0xffffffffu, 0xffffffffull + 8));
  EXPECT_TRUE(wb_outside(0, 0, 1));
  EXPECT_FALSE(wb_beyond(kBytes - 4, kBytes - 4));
  EXPECT_TRUE(wb_beyond(kBytes - 3, kBytes - 4));
  EXPECT_FALSE(wb_memory_fill_outside(kBytes, kBytes, 0));
  EXPECT_TRUE(wb_memory_fill_outside(kBytes, kBytes + 1, 0));
  EXPECT_TRUE(wb_memory_fill_outside(kBytes, 0xffffffffu, 0xffffffffu));
  EXPECT_FALSE(wb_memory_copy_outside(kBytes, 0, kBytes, 0));
  EXPECT_TRUE(wb_memory_copy_outside(kBytes, 0, kBytes, 1));
  EXPECT_TRUE(wb_memory_copy_outside(kBytes, kBytes, 0, 1));
}

TEST_F(MemoryTest, WordsOfAllTypesKeepTheirBits) {
  wb_put64(lane_, 100, 0x0123456789abcdefull);
  EXPECT_EQ(state_.Word(kLane, 100), 0x89abcdefu);
  EXPECT_EQ(state_.Word(kLane, 101), 0x01234567u);
  EXPECT_EQ(wb_get64(lane_, 100), 0x0123456789abcdefull);
  wb_put_f32(lane_, 102, wb_f32_const(0x7fa00001u));
  EXPECT_EQ(state_.Word(kLane, 102), 0x7fa00001u);
  EXPECT_EQ(std::bit_cast<uint32_t>(wb_get_f32(lane_, 102)), 0x7fa00001u);
  wb_put_f64(lane_, 104, wb_f64_const(0x7ff4000000000001ull));
  EXPECT_EQ(std::bit_cast<uint64_t>(wb_get_f64(lane_, 104)), 0x7ff4000000000001ull);
}

TEST_F(MemoryTest, GrowsWithinLimitsAndReserve) {
  LaneState state(1, 3);
  state.Fill(0xdddddddd);
  wb_lane lane = wb_lane_at(state.data(), 0, state.lane_words());
  wb_put(lane, abi::LANE_PAGES, 1);
  wb_put(lane, abi::LANE_MAX_PAGES, 4);
  wb_put(lane, abi::LANE_CAPACITY_PAGES, 3);
  wb_put(lane, abi::LANE_CLEAN_PAGES, 1);
  wb_put(lane, abi::LANE_WANTED_PAGES, 0);
  EXPECT_EQ(wb_memory_grow(lane, 0), 1u);
  EXPECT_EQ(wb_memory_grow(lane, 1), 1u);
  EXPECT_EQ(wb_memory_bytes(lane), 2u * kBytes);
  EXPECT_EQ(state.Byte(0, kBytes - 1), 0xdd);
  EXPECT_EQ(state.Byte(0, kBytes), 0);
  EXPECT_EQ(state.Byte(0, 2 * kBytes - 1), 0);
  EXPECT_EQ(state.Byte(0, 2 * kBytes), 0xdd);
  EXPECT_EQ(wb_memory_grow(lane, 3), 0xffffffffu);
  EXPECT_EQ(wb_get(lane, abi::LANE_WANTED_PAGES), 0u);
  EXPECT_EQ(wb_memory_grow(lane, 2), uint{WB_GROW_LEAVES});
  EXPECT_EQ(wb_get(lane, abi::LANE_WANTED_PAGES), 4u);
  EXPECT_EQ(wb_memory_grow(lane, 0xffffffffu), 0xffffffffu);
  EXPECT_EQ(wb_get(lane, abi::LANE_PAGES), 2u);
  EXPECT_EQ(wb_get(lane, abi::LANE_CLEAN_PAGES), 2u);
  wb_put(lane, abi::LANE_CLEAN_PAGES, 3);
  EXPECT_EQ(wb_memory_grow(lane, 1), 2u);
  EXPECT_EQ(state.Byte(0, 2 * kBytes), 0xdd);  // said to be zero: not touched
}

TEST_F(MemoryTest, SpansOfWhatIsWritten) {
  EXPECT_EQ(wb_span_of(0, 11), 1u);
  EXPECT_EQ(wb_span_of(2047, 11), 1u);
  EXPECT_EQ(wb_span_of(2048, 11), 2u);
  EXPECT_EQ(wb_span_of(65535, 11), 0x80000000u);
  EXPECT_EQ(wb_span_of(65536, 11), 1u);  // shared
  EXPECT_EQ(wb_spans_of(2047, 1, 11), 1u);
  EXPECT_EQ(wb_spans_of(2047, 2, 11), 3u);
  EXPECT_EQ(wb_spans_of(63000, 4096, 11), 0xc0000001u);
  EXPECT_EQ(wb_spans_of(2048, 31 * 2048, 11), 0xfffffffeu);
  EXPECT_EQ(wb_spans_of(2047, 0xfffff800u, 11), 0xffffffffu);
  EXPECT_EQ(wb_chunk_spans(0, 100000, 9000, 11), 3u);  // its first 4,096 bytes
  EXPECT_EQ(wb_chunk_spans(0, 100000, 5, 11), 1u);
  EXPECT_EQ(wb_chunk_spans(8192, 0, 3 * 4096, 11), 0x300u);  // its last ones
}

TEST_F(MemoryTest, TrapsAreUnpacked) {
  wb_trap(lane_, WB_WHY_TRAP | 10u << WB_WHY_TRAP_SHIFT | 0x3fffffeu, 42);
  EXPECT_EQ(wb_get(lane_, abi::LANE_TRAP), 10u);
  EXPECT_EQ(wb_get(lane_, abi::LANE_TRAP_FUNCTION), 42u);
  EXPECT_EQ(wb_get(lane_, abi::LANE_TRAP_OFFSET), 0x3fffffeu);
}

TEST_F(MemoryTest, FuelIsASignedNumber) {
  EXPECT_FALSE(wb_spent(0));
  EXPECT_FALSE(wb_spent(1));
  EXPECT_TRUE(wb_spent(0xffffffffu));
  EXPECT_FALSE(wb_group_is_low(0, 0));
  EXPECT_FALSE(wb_group_is_low(5, 5));
  EXPECT_TRUE(wb_group_is_low(4, 5));
  EXPECT_TRUE(wb_group_is_low(0xffffffffu, 0));
}

}  // namespace
}  // namespace wb
