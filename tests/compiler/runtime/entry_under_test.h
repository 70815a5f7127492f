#pragma once

// The kernel's entry, for one layout, driven by a written-out wb_call: the functions of an imagined
// module, and lanes, their records and inputs, and launches of the kernel over them.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "tests/compiler/runtime/lane_state.h"
#include "tests/compiler/runtime/layout_under_test.h"

namespace wb {
namespace kernel_text {

// Functions of the imagined module. A loop round costs kRoundFuel and begins with a safepoint.
enum Functions : uint { kSum64, kLoop, kTrap, kGrow, kPoke, kStart, kPeekGlobal, kAsk, kCollect };
constexpr uint kRoundFuel = 10;
constexpr uint kTrapOffset = 0x1234;

// kAsk: a safepoint before which nothing is paid. kLoop(n): n rounds; results n and the rounds made
// since the last resumption.
static WbEnd RunLoop(wb_lane L, uint fuel, uint resume) {
  WbEnd end = {WB_RETURNED, fuel};
  uint left = resume != 0 ? wb_get(L, WB_FRAMES_AT + 1) : wb_get(L, WB_LANE_STAGE);
  uint all = resume != 0 ? wb_get(L, WB_FRAMES_AT + 2) : left;
  uint rounds = 0;
  bool passes = resume != 0;  // the safepoint that it left at, without asking again
  while (end.w == WB_RETURNED && left != 0) {
    if (!passes) end.fuel -= kRoundFuel;
    if (!passes && wb_spent(end.fuel)) {
      end.w = WB_LEFT;
      wb_put(L, WB_FRAMES_AT + 1, left);
      wb_put(L, WB_FRAMES_AT + 2, all);
    } else {
      --left;
      ++rounds;
    }
    passes = false;
  }
  if (end.w == WB_RETURNED) {
    wb_put(L, WB_LANE_STAGE, all);
    wb_put(L, WB_LANE_STAGE + 1, rounds);
  }
  return end;
}

// kGrow(n): pays, then grows by n pages and gives what that gave. Left before the second, it comes
// again.
static WbEnd RunGrow(wb_lane L, uint fuel, uint resume) {
  WbEnd end = {WB_RETURNED, resume != 0 ? fuel : fuel - 3};
  const uint delta = resume != 0 ? wb_get(L, WB_FRAMES_AT + 1) : wb_get(L, WB_LANE_STAGE);
  const uint pages = wb_memory_grow(L, delta);
  wb_put(L, WB_LANE_STAGE, pages);
  if (pages == WB_GROW_LEAVES) {
    end.w = WB_LEFT;
    wb_put(L, WB_FRAMES_AT + 1, delta);
  }
  return end;
}

inline std::atomic<uint> collected_together{0};  // by lanes

// kCollect(code, value, lane): a collective; its answer.
[[maybe_unused]] static WbEnd RunCollect(wb_lane L, uint fuel, uint resume) {
  if (resume == 0) {
    fuel -= 1;
    const uint code = wb_get(L, WB_LANE_STAGE);
    // In a module those of another code would be in another function.
    if (wb_together(fuel) && !metal::simd_any(code != metal::simd_min(code))) {
      const uint lane_at = WB_LANE_STAGE + (wb_collects_64(code) ? 3 : 2);
      const ulong value =
          wb_collects_64(code) ? wb_get64(L, WB_LANE_STAGE + 1) : wb_get(L, WB_LANE_STAGE + 1);
      wb_put64(L, WB_LANE_STAGE, wb_collect_together(L, code, value, wb_get(L, lane_at)));
      ++collected_together;
      return {WB_RETURNED, fuel};
    }
    wb_asks(L, 1u + WB_PRIMITIVE_COLLECTIVE);
    return {WB_LEFT, fuel};
  }
  wb_put64(L, WB_LANE_STAGE, wb_get64(L, WB_LANE_STAGE + WB_COLLECT_ANSWER));
  return {WB_RETURNED, fuel};
}

inline std::atomic<uint> low_of_last_call{0};

static WbEnd wb_call(wb_lane L, bool active, uint function, uint low, uint fuel, uint resume) {
  if (!active) return {WB_RETURNED, fuel};
  low_of_last_call = low;
  WbEnd end = {WB_RETURNED, fuel - 3};
  switch (function) {
    case kSum64:
      wb_put64(L, WB_LANE_STAGE, wb_get64(L, WB_LANE_STAGE) + wb_get64(L, WB_LANE_STAGE + 2));
      break;
    case kAsk: return {resume == 0 && wb_spent(fuel) ? WB_LEFT : WB_RETURNED, fuel};
    case kLoop: return RunLoop(L, fuel, resume);
    case kTrap:
      wb_trap(L, WB_WHY_TRAP | WB_TRAP_DIVIDE_BY_ZERO << WB_WHY_TRAP_SHIFT | kTrapOffset, kTrap);
      end.w = WB_TRAPPED;
      break;
    case kGrow: return RunGrow(L, fuel, resume);
    case kCollect: return RunCollect(L, fuel, resume);
    case kPoke:
      wb_note_written(L, wb_span_of(wb_get(L, WB_LANE_STAGE), 11));
      wb_poke32(wb_memory(L), wb_get(L, WB_LANE_STAGE), wb_get(L, WB_LANE_STAGE + 1));
      break;
    case kStart: wb_put(L, WB_GLOBALS_AT, wb_get(L, WB_GLOBALS_AT) + 100); break;
    default: wb_put64(L, WB_LANE_STAGE, wb_get64(L, WB_GLOBALS_AT)); break;
  }
  return end;
}

#include "compiler/runtime/as_cpp_kernel.inc"

}  // namespace kernel_text

#include "compiler/runtime/as_cpp_end.inc"

using kernel_text::collected_together;
using kernel_text::kAsk;
using kernel_text::kCollect;
using kernel_text::kGrow;
using kernel_text::kLoop;
using kernel_text::kPeekGlobal;
using kernel_text::kPoke;
using kernel_text::kRoundFuel;
using kernel_text::kStart;
using kernel_text::kSum64;
using kernel_text::kTrap;
using kernel_text::low_of_last_call;

inline constexpr uint32_t kRegisters = 16;
inline constexpr uint32_t kOutputBytes = 16;

// An operand: where from, its size in words, and the constant or addend.
struct Operand {
  uint32_t source = abi::OPERAND_CONST;
  uint32_t at = 0;
  uint32_t size = 1;
  std::array<uint32_t, 4> value{};
  uint32_t loads = 0;
};
inline Operand Const(uint32_t value) { return {abi::OPERAND_CONST, 0, 1, {value}}; }

struct Step {
  uint32_t kind = abi::STEP_CALL;
  uint32_t function = 0;
  std::vector<Operand> operands;
  uint32_t results = 0;
  uint32_t result_words = 0;
  uint32_t flags = 0;
  uint32_t trap_register = abi::NONE;
};

// Lanes, their records and inputs, and launches of the kernel over them.
class EntryTest : public ::testing::Test {
 protected:
  EntryTest() { Resize(40); }

  void Resize(uint32_t lanes) {
    params_.lanes = lanes;
    params_.record_words = abi::RECORD_REGISTERS + kRegisters + kOutputBytes / 4;
    params_.output_at = abi::RECORD_REGISTERS + kRegisters;
    params_.output_bytes = params_.output_buffer = kOutputBytes;
    params_.capacity_pages = 2;
    params_.max_pages = 3;
    params_.max_stack = 32768;
    params_.frames_at = kernel_text::WB_FRAMES_AT;
    params_.quantum = 1u << 20;
    params_.slice_hi = 1u << 20;
    params_.max_fuel_lo = params_.max_fuel_hi = ~0u;
    params_.lanes_are_new = 1;
    state_ = LaneState(lanes, params_.max_pages);  // a capacity can be raised to that
    state_.Fill(0xabababab);
    params_.lane_words_lo = static_cast<uint32_t>(state_.lane_words());
    records_.assign(lanes * params_.record_words, 0xcdcdcdcd);
    for (uint32_t lane = 0; lane < lanes; ++lane) Record(lane)[abi::RECORD_SEAT] = abi::SEAT_START;
    columns_.assign(4 * lanes, 0);
  }
  // Lanes without steps, with so much fuel for the first one's slice and for each instance.
  void BeginAnew(uint32_t lanes, uint32_t slice, uint32_t max_fuel) {
    Resize(lanes);
    steps_.clear();
    params_.slice_hi = params_.max_fuel_hi = 0;
    params_.slice_lo = slice;
    params_.max_fuel_lo = max_fuel;
  }

  // So many lanes that take one seat after the other.
  void Queue(uint32_t lanes, uint32_t seats) {
    Resize(lanes);
    params_.seats = seats;
    params_.takers = lanes;
    params_.most_idle = ~0u;
    records_.assign(seats * params_.record_words, 0xcdcdcdcd);
    for (uint32_t seat = 0; seat < seats; ++seat) Start(seat);
    columns_.assign(4 * seats, 0);
  }
  void Start(uint32_t seat) {
    Record(seat)[abi::RECORD_SEAT] = abi::SEAT_START;
    Record(seat)[abi::RECORD_QUEUED] = 1;
    ++Record(seat)[abi::RECORD_TURN];
  }
  uint32_t CountSeats(uint32_t state) {
    uint32_t count = 0;
    for (uint32_t seat = 0; seat < params_.seats; ++seat) count += Seat(seat) == state ? 1 : 0;
    return count;
  }

  void Add(const Step& step) { steps_.push_back(step); }

  void Launch() {
    std::vector<uint32_t> program = Encode();
    params_.steps = static_cast<uint32_t>(steps_.size());
    kernel_text::WbParams params;
    std::memcpy(&params, &params_, sizeof params);
    metal::atomic_uint control[abi::CONTROL_WORDS] = {};
    control[abi::CONTROL_STOP].value = stop_;
    RunGrid(params_.lanes + 3, [&](uint32_t gid) {  // it is rounded up
      kernel_text::wb_main(state_.data(), records_.data(), program.data(), columns_.data(),
                           blob_.data(), image_.data(), control, params, kept_.data(), gid);
    });
    params_.lanes_are_new = 0;
    idle_ = control[abi::CONTROL_IDLE].value;
    useful_ += Count(control, abi::CONTROL_USEFUL_LO);
    stepped_ += Count(control, abi::CONTROL_STEPPED_LO);
  }

  static uint64_t Count(const metal::atomic_uint* control, uint32_t at) {
    return uint64_t{control[at].value} | uint64_t{control[at + 1].value} << 32;
  }

  // As the host does when it has reserved more for the instance that waits there.
  void GoOn(uint32_t lane, uint32_t seat, uint32_t pages) {
    state_.Word(lane, abi::LANE_CAPACITY_PAGES) = pages;
    Record(seat)[abi::RECORD_SEAT] = abi::SEAT_RUNNING;
  }

  virtual void RunGrid(uint32_t threads, const std::function<void(uint32_t gid)>& run) {
    for (uint32_t gid = 0; gid < threads; ++gid) run(gid);
  }

  // Launches until no seat runs; returns how often.
  int LaunchToEnd() {
    int launches = 0;
    bool running = true;
    while (running && launches < 1000) {
      Launch();
      ++launches;
      running = false;
      for (uint32_t seat = 0; seat < std::max(params_.lanes, params_.seats); ++seat) {
        running |= Seat(seat) == abi::SEAT_RUNNING || Seat(seat) == abi::SEAT_START;
      }
    }
    return launches;
  }

  uint32_t* Record(uint32_t lane) { return records_.data() + lane * params_.record_words; }
  uint32_t Seat(uint32_t lane) { return Record(lane)[abi::RECORD_SEAT]; }
  uint32_t End(uint32_t lane) { return Record(lane)[abi::RECORD_END]; }
  uint32_t Register(uint32_t lane, uint32_t i) { return Record(lane)[abi::RECORD_REGISTERS + i]; }
  uint64_t Fuel(uint32_t lane) {
    return Record(lane)[abi::RECORD_FUEL_LO] |
           static_cast<uint64_t>(Record(lane)[abi::RECORD_FUEL_HI]) << 32;
  }
  std::string Output(uint32_t lane) {
    const uint32_t bytes = Record(lane)[abi::RECORD_OUT_BYTES];
    return std::string(reinterpret_cast<char*>(Record(lane) + params_.output_at), bytes);
  }
  void ExpectEnd(uint32_t lane, wb::End end) {
    ASSERT_EQ(Seat(lane), +abi::SEAT_DONE) << "lane " << lane;
    ASSERT_EQ(End(lane), static_cast<uint32_t>(end)) << "lane " << lane;
  }

  abi::Params params_;
  LaneState state_{1, 1};
  std::vector<uint32_t> records_;
  std::vector<uint32_t> columns_;
  std::vector<uint32_t> blob_ = {0};
  std::vector<uint32_t> kept_ = {0};
  // min pages, global words, ranges, trap, trap offset, start + 1, 0, 0; the globals.
  std::vector<uint32_t> image_ = {1, 2, 0, 0, 0, 0, 0, 0, 11, 22};
  std::vector<Step> steps_;
  uint32_t stop_ = 0;
  uint32_t idle_ = 0;                  // lanes that the last launch left without a seat
  uint64_t useful_ = 0, stepped_ = 0;  // counted by all launches

 private:
  std::vector<uint32_t> Encode() const {
    std::vector<uint32_t> words(steps_.size() * abi::STEP_WORDS);
    for (size_t i = 0; i < steps_.size(); ++i) {
      const Step& step = steps_[i];
      const uint32_t head[abi::STEP_WORDS] = {step.kind,
                                              step.flags,
                                              step.function,
                                              static_cast<uint32_t>(words.size()),
                                              static_cast<uint32_t>(step.operands.size()),
                                              step.results,
                                              step.result_words,
                                              step.trap_register};
      std::copy_n(head, abi::STEP_WORDS, words.begin() + i * abi::STEP_WORDS);
      for (const Operand& operand : step.operands) {
        words.insert(words.end(), {operand.source, operand.at, operand.size, operand.loads});
        words.insert(words.end(), operand.value.begin(), operand.value.end());
      }
    }
    return words;
  }
};

inline Step CallOf(uint32_t function, std::vector<Operand> operands, uint32_t results = 0,
                   uint32_t result_words = 0) {
  return {abi::STEP_CALL, function, std::move(operands), results, result_words, 0, abi::NONE};
}

}  // namespace wb
