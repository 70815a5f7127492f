#pragma once

// The cuda device with dispatches whose memory is mapped as their lanes grow.

#include <gtest/gtest.h>

#include <algorithm>
#include <string_view>
#include <vector>

#include "tests/scheduler/devices/cuda_rig.h"
#include "tests/scheduler/run/growing_guests.h"

namespace wb::test {

inline constexpr uint64_t kMiB = uint64_t{1} << 20;

class CudaMappingTest : public CudaDeviceTest {
 protected:
  CudaMappingTest() {
    gpu_.few_registers = gpu_.tiled = true;
    Open({});
  }
  static Work Mapped(std::string_view wat, uint32_t lanes, uint32_t seats = 0) {
    Work work = WorkOf(wat, "run", std::max(lanes, seats));
    work.lanes = lanes;
    work.seats = seats;
    work.mapped_pages = 1;
    return work;
  }
  // As a kernel leaves lanes that wait for memory before a memory.grow: with valid frames. They are
  // left elsewhere here, which makes no difference to the lanes that go on.
  void LeaveWaiting(uint32_t wanted, uint32_t first, uint32_t end) {
    gpu_.after_launch = [=](uint32_t* records, const abi::Params& params) {
      const uint32_t seats = params.seats != 0 ? params.seats : params.lanes;
      for (uint32_t seat = first; seat < std::min(end, seats); ++seat) {
        uint32_t* record = records + uint64_t{seat} * params.record_words;
        if (record[abi::RECORD_SEAT] != abi::SEAT_RUNNING) continue;
        record[abi::RECORD_SEAT] = abi::SEAT_NEEDS_MEMORY;
        record[abi::RECORD_WANTED_PAGES] = wanted;
      }
    };
  }
  LaunchReport LaunchOnce(Dispatch& dispatch, uint64_t fuel, bool written = false) {
    LaunchLimits limits;
    limits.max_duration = std::chrono::hours(1);
    limits.slice_fuel = fuel;
    limits.seats_written = written;
    limits.occupancy.tiled = ++launches_ % 32 < 16;
    const auto report = device_->Launch(dispatch, limits);
    EXPECT_TRUE(report.ok()) << report.status().ToString();
    return report.ok() ? *report : LaunchReport();
  }
  uint32_t launches_ = 0;
  void ExpectRecord(Dispatch& dispatch, const Work& work, uint32_t seat) {
    const std::vector<uint32_t> wanted = Records(Cpu(), work);
    const size_t words = work.Shape().RecordWords();
    EXPECT_EQ(OfInstances(dispatch.records().subspan(seat * words, words), words),
              OfInstances(std::span(wanted).subspan(seat * words, words), words))
        << seat;
  }
  void ExpectRecords(Dispatch& dispatch, const Work& work) {
    const size_t words = work.Shape().RecordWords();
    EXPECT_TRUE(OfInstances(dispatch.records(), words) == OfInstances(Records(Cpu(), work), words));
  }
};

inline constexpr auto kWay = [](const auto& way) { return way.param ? "Resident" : "Streams"; };

}  // namespace wb::test
