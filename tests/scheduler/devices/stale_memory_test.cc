// What an instance wrote, in whichever way and wherever, the next one in its lane does not find:
// what is cleared between them is only what was noted (abi::LANE_KEPT), so every way to write must
// be.

#include <gtest/gtest.h>

#include <random>
#include <set>
#include <string>

#include "tests/scheduler/devices/rig.h"

namespace wb::test {
namespace {

constexpr uint32_t kWays = 13;

// `hash` reads all of memory; `write` writes at `a` in the way of that number. Data lies across the
// borders of spans of 2 KiB and more, at odd addresses. With several memories both are hashed and
// written, and one is copied to the other.
struct Memories {
  uint32_t pages = 1;
  bool several = false;
};
std::string Module(const Memories& memories) {
  const auto if_several = [&](const char* text) { return memories.several ? text : ""; };
  return "(module (memory " + std::to_string(memories.pages) + " 64)" +
         if_several("(memory $more 2 5) (data (memory $more) (i32.const 65533) \"on two pages\")") +
         R"(
  (data (i32.const 2041) "across the first border") (data (i32.const 61) "s")
  (data (i32.const 8187) "eleven and three")
  (data $late "held back until it is asked for, and longer than one word")
  (func (export "hash") (result i64) (local $i i32) (local $h i64)
    loop $l
      local.get $h i64.const 0x100000001b3 i64.mul
      local.get $i i64.load i64.xor
      i64.const 29 i64.rotl local.set $h
      local.get $i i32.const 8 i32.add local.tee $i
      memory.size i32.const 16 i32.shl i32.lt_u br_if $l
    end)" +
         if_several(R"(
    i32.const 0 local.set $i
    loop $m
      local.get $h i64.const 0x100000001b3 i64.mul
      local.get $i i64.load $more i64.xor
      i64.const 29 i64.rotl local.set $h
      local.get $i i32.const 8 i32.add local.tee $i
      memory.size $more i32.const 16 i32.shl i32.lt_u br_if $m
    end)") +
         R"(
    local.get $h)
  (func $below (param $a i32) (param $room i32) (result i32)
    local.get $a
    memory.size i32.const 16 i32.shl local.get $room i32.sub
    i32.rem_u)
  (func (export "write") (param $way i32) (param $a i32) (local $v v128)
    i32.const 0xe7 i8x16.splat local.set $v
    local.get $a i32.const 5000 call $below local.set $a)" +
         if_several(R"(
    (i64.store $more (i32.and (local.get $a) (i32.const 0x1fff0)) (i64.const -1))
    (if (i32.eq (local.get $way) (i32.const 8))
      (then (memory.fill $more (i32.const 65000) (i32.const 0xe7) (i32.const 4500))
            (memory.copy 0 $more (local.get $a) (i32.const 65000) (i32.const 4500))
            return))
    (if (i32.eq (local.get $way) (i32.const 11))
      (then (drop (memory.grow $more (i32.const 1)))
            (i32.store $more (i32.sub (i32.shl (memory.size $more) (i32.const 16)) (i32.const 4))
              (i32.const -1)))))") +
         R"(
    block block block block block block block block block block block block block
      local.get $way br_table 0 1 2 3 4 5 6 7 8 9 10 11 12
    end local.get $a i32.const 0xe7 i32.store8 return
    end local.get $a i32.const 0xe7e7 i32.store16 offset=2040 return
    end local.get $a i32.const -1 i32.store local.get $a i32.const -1 i32.store offset=124
        local.get $a i32.const -1 i32.store offset=113 local.get $a i32.const 7 i32.store8 offset=4
        return
    end local.get $a i64.const -1 i64.store offset=4089 return
    end local.get $a i64.const -1 i64.store8 offset=1 return
    end local.get $a local.get $v v128.store offset=15 return
    end local.get $a local.get $v v128.store64_lane offset=999 1 return
    end local.get $a i32.const 0xe7 i32.const 4999 memory.fill return
    end local.get $a i32.const 8190 i32.const 4500 memory.copy return
    end local.get $a i32.const 0 i32.const 57 memory.init $late return
    end local.get $a f64.const -3.5 f64.store return
    end i32.const 1 memory.grow drop
        memory.size i32.const 16 i32.shl i32.const 24 i32.sub i64.const -1 i64.store offset=16 return
    end local.get $a i32.const 0xe7 i32.store16 unreachable)))";
}

class StaleMemory : public testing::TestWithParam<std::tuple<size_t, Memories>> {};

// Instances by what they write: three ways each, at addresses near borders more often than not.
Work ThreeWrites(const Memories& memories, uint32_t instances, uint32_t seed) {
  const uint32_t pages = memories.pages;
  Work work;
  work.module = LowerText(Module(memories));
  work.lanes = 5;
  work.seats = instances;
  work.max_pages = work.capacity_pages = pages + 3;
  work.steps = {Call("hash")};
  std::mt19937 random(seed);
  for (uint32_t i = 0; i < 3; ++i) {
    work.steps.push_back(Call("write", {ColumnArg(2 * i), ColumnArg(2 * i + 1)}));
    std::vector<uint32_t> ways, addresses;
    for (uint32_t instance = 0; instance < instances; ++instance) {
      ways.push_back(static_cast<uint32_t>(random() % kWays));
      const uint32_t border = static_cast<uint32_t>(random() % (pages * 32)) * 2048;
      addresses.push_back(random() % 3 == 0 ? random() : border + random() % 40 - 20);
    }
    work.columns.push_back(ways);
    work.columns.push_back(addresses);
  }
  return work;
}

void ExpectAllFresh(Device& device, const Work& work, Dispatch& dispatch) {
  RunToEnd(device, dispatch, {20000, 3, 7000});
  const std::vector<uint32_t> records(dispatch.records().begin(), dispatch.records().end());
  std::set<std::vector<uint32_t>> hashes;
  for (uint32_t seat = 0; seat < work.Shape().Seats(); ++seat) {
    const Record record = RecordOf(records, work.Shape(), seat);
    ASSERT_EQ(record.seat, abi::SEAT_DONE);
    hashes.insert({record.registers.begin(), record.registers.begin() + 2});
  }
  EXPECT_EQ(hashes.size(), 1u);
}

TEST_P(StaleMemory, IsNotFoundByTheNextInLine) {
  Device& device = *Engines()[std::get<0>(GetParam())].device;
  const Memories memories = std::get<1>(GetParam());
  const uint32_t pages = memories.pages;
  const Work work = ThreeWrites(memories, 120 / pages + 8, 17 + pages);
  const auto dispatch = Seat(device, LoadOn(device, work.module), work);
  ExpectAllFresh(device, work, *dispatch);
}

TEST_P(StaleMemory, IsNotFoundByTheNextInTheSeat) {
  Device& device = *Engines()[std::get<0>(GetParam())].device;
  const Memories memories = std::get<1>(GetParam());
  const uint32_t pages = memories.pages;
  Work work = ThreeWrites(memories, 12, 91 + pages);
  work.lanes = work.seats;
  work.seats = 0;
  const auto dispatch = Seat(device, LoadOn(device, work.module), work);
  for (uint32_t round = 0; round < 3; ++round) {
    for (uint32_t lane = 0; lane < work.lanes; ++lane) {
      MarkStart(dispatch->records().subspan(size_t{lane} * work.Shape().RecordWords()));
    }
    ExpectAllFresh(device, work, *dispatch);
  }
}

// Inputs are writes, too.
TEST_P(StaleMemory, OfInputsIsNotFoundEither) {
  Device& device = *Engines()[std::get<0>(GetParam())].device;
  const Memories memories = std::get<1>(GetParam());
  const uint32_t pages = memories.pages;
  Work work = ThreeWrites(memories, 30, 5);
  work.bytes_columns = 1;
  work.blob_bytes = 7000;
  work.columns.emplace_back(work.seats, 4u);     // offset
  work.columns.emplace_back(work.seats, 6996u);  // length
  work.steps.insert(work.steps.begin() + 1, WriteStep{Arg(pages * abi::PAGE_BYTES - 6996), 6});
  work.steps.insert(work.steps.begin() + 1, WriteStep{Arg(4090), 6});
  const auto dispatch = Seat(device, LoadOn(device, work.module), work);
  for (uint8_t& byte : dispatch->blob()) byte = 0x77;
  ExpectAllFresh(device, work, *dispatch);
}

INSTANTIATE_TEST_SUITE_P(Engines, StaleMemory,
                         testing::Combine(testing::Range(size_t{0}, kEngines),
                                          testing::Values(Memories{1}, Memories{2}, Memories{5},
                                                          Memories{33}, Memories{3, true})),
                         [](const auto& test) {
                           return Engines()[std::get<0>(test.param)].name + "_" +
                                  std::to_string(std::get<1>(test.param).pages) + "_pages" +
                                  (std::get<1>(test.param).several ? "_and_more" : "");
                         });

}  // namespace
}  // namespace wb::test
