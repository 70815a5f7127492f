// How many instances of a module with a large memory are on an NVIDIA GPU at a time, and how fast,
// where lanes hold all of the memory and where they hold the part that instances come to.
//
//   cuda_windows PAGES KIB LANES [ROUNDS]
//
// Instances of a module of PAGES pages come to KIB of them, in the middle of memory: they write all
// of it and then read and write words of it in a random order, ROUNDS (20,000) times. LANES lanes
// hold the part; as many as fit, LANES at most, hold all. Every lane has one instance, which is
// left midway and goes on, so all are resident at once. Results, fuel and traps must be equal.

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "bench/cuda/probe_work.h"
#include "scheduler/devices/cuda/cuda_device.h"
#include "tests/compiler/wasm/assemble.h"

namespace wb {
namespace {

constexpr uint32_t kLaunches = 4;  // an instance takes about as many

struct Guest {
  uint32_t pages = 0;
  uint32_t from = 0;
  uint32_t bytes = 0;  // a power of two
  uint32_t rounds = 0;

  std::string Text() const {
    const auto number = [](uint32_t value) { return "(i32.const " + std::to_string(value) + ")"; };
    return "(module (memory " + std::to_string(pages) + ") (func (export \"run\") (param $n i32)" +
           "(result i32) (local $a i32) (local $x i32) (local $i i32) (local $sum i32)" +
           "(local.set $a " + number(from) + ")" +
           "(loop $fill (i32.store (local.get $a) (i32.add (local.get $a) (local.get $n)))" +
           "(br_if $fill (i32.lt_u (local.tee $a (i32.add (local.get $a) (i32.const 4)))" +
           number(from + bytes) + ")))" + "(local.set $x (i32.const 1)) (loop $l" +
           "(local.set $x (i32.add (i32.mul (local.get $x) (i32.const 1664525))" +
           "(i32.const 1013904223)))" + "(local.set $a (i32.add " + number(from) +
           "(i32.and (i32.shr_u (local.get $x) (i32.const 7))" + number(bytes - 4) + ")))" +
           "(local.set $sum (i32.add (i32.rotl (local.get $sum) (i32.const 3))" +
           "(i32.load (local.get $a))))" + "(i32.store (local.get $a) (local.get $sum))" +
           "(br_if $l (i32.lt_u (local.tee $i (i32.add (local.get $i) (i32.const 1)))" +
           number(rounds) + "))) (local.get $sum)))";
  }
};

struct Outcome {
  uint32_t lanes = 0;
  uint64_t lane_bytes = 0;
  double seconds = 0;
  double fuel = 0;
  std::vector<uint32_t> records;
};

class Resident {
 public:
  Resident(Device& device, const Guest& guest)
      : device_(device),
        work_(PrepareWork(Must(Module::Decode(test::MustAssemble(guest.Text())), "guest"), "run", 1,
                          {{ValueType::kI32, 0, 1}})) {
    const auto source = Must(EmitKernel(*work_.module, device.info().options), "emit");
    pipeline_ =
        Must(device.Load(work_.module, Must(device.Build(*work_.module, source), "build")), "load");
  }

  Outcome Run(uint32_t most_lanes, const MemoryWindow& window) {
    DispatchShape shape = work_.shape;
    shape.window = window;
    shape.capacity_pages = shape.max_pages = work_.module->program.image.min_pages;
    Outcome outcome;
    outcome.lane_bytes = work_.module->layout.LaneWords(shape.Reserve(), shape.StackReserve()) * 4;
    // A record, a column and rounding besides.
    const uint64_t fits = device_.info().memory_bytes / (outcome.lane_bytes + 256);
    shape.lanes = outcome.lanes = static_cast<uint32_t>(std::min<uint64_t>(most_lanes, fits));
    const auto dispatch = Must(device_.Allocate(pipeline_, shape), "allocate");
    for (uint32_t lane = 0; lane < shape.lanes; ++lane) dispatch->columns()[lane] = lane;
    const double warm = Launches(*dispatch, ~uint64_t{0} >> 2, outcome).fuel;
    Launches(*dispatch, static_cast<uint64_t>(warm / shape.lanes / kLaunches) + 1, outcome);
    return outcome;
  }

 private:
  Outcome& Launches(Dispatch& dispatch, uint64_t slice, Outcome& outcome) {
    const std::span<uint32_t> records = dispatch.records();
    const size_t words = dispatch.shape().RecordWords();
    for (size_t at = 0; at < records.size(); at += words) {
      MarkStart(records.subspan(at));
      records[at + abi::RECORD_FUEL_LO] = records[at + abi::RECORD_FUEL_HI] = 0;
    }
    LaunchLimits limits;
    limits.max_duration = std::chrono::hours(1);
    limits.slice_fuel = slice;
    outcome.seconds = outcome.fuel = 0;
    for (uint32_t left = 1; left > 0; limits.seats_written = false) {
      const LaunchReport report = Must(device_.Launch(dispatch, limits), "launch");
      outcome.seconds += std::chrono::duration<double>(report.busy).count();
      left = report.seats_left;
    }
    for (size_t at = 0; at < records.size(); at += words) {
      if (records[at + abi::RECORD_SEAT] != abi::SEAT_DONE) {
        std::fputs("cuda_windows: an instance needs what its lane does not hold\n", stderr);
        std::exit(1);
      }
      outcome.fuel +=
          records[at + abi::RECORD_FUEL_LO] + 4294967296.0 * records[at + abi::RECORD_FUEL_HI];
    }
    outcome.records.assign(records.begin(), records.end());
    return outcome;
  }

  Device& device_;
  Work work_;
  PipelineRef pipeline_;
};

void Row(const char* name, const Outcome& outcome) {
  std::printf("%-6s %10.1f %9u %9.1f %12.3e %12.3e\n", name, outcome.lane_bytes / 1024.0,
              outcome.lanes, outcome.lanes * (outcome.lane_bytes / 1073741824.0),
              outcome.lanes / outcome.seconds, outcome.fuel / outcome.seconds);
  std::fflush(stdout);
}

// What records say of the instances that both have.
bool AreEqual(const Outcome& a, const Outcome& b) {
  const size_t words = std::min(a.records.size(), b.records.size());
  for (size_t at = 0; at < words; ++at) {
    if (a.records[at] != b.records[at]) return false;
  }
  return true;
}

int Main(int argc, char** argv) {
  const int pages = argc > 1 ? std::atoi(argv[1]) : 0, kib = argc > 2 ? std::atoi(argv[2]) : 0;
  const int lanes = argc > 3 ? std::atoi(argv[3]) : 0,
            rounds = argc > 4 ? std::atoi(argv[4]) : 20'000;
  if (argc < 4 || argc > 5 || pages < 1 || pages > 65535 || kib < 4 || lanes < 1 || rounds < 1 ||
      (kib & (kib - 1)) != 0 || kib > pages * 32) {
    std::fputs("usage: cuda_windows PAGES KIB LANES [ROUNDS]   KIB: a power of two, at most half\n",
               stderr);
    return 2;
  }
  Guest guest;
  guest.pages = static_cast<uint32_t>(pages);
  guest.bytes = static_cast<uint32_t>(kib) * 1024;
  guest.from = guest.pages / 2 * abi::PAGE_BYTES + abi::WINDOW_MARGIN;
  guest.rounds = static_cast<uint32_t>(rounds);
  const auto device = Must(CreateCudaDevice({}), "cuda device");
  Resident resident(*device, guest);
  std::printf("%s: instances of %d pages that come to %d KiB of them\n",
              device->info().name.c_str(), pages, kib);
  std::printf("%-6s %10s %9s %9s %12s %12s\n", "lanes", "KiB a lane", "lanes", "GiB", "instances/s",
              "instr/s");
  const MemoryWindow part = {guest.pages / 2 * abi::PAGE_BYTES,
                             guest.bytes + MemoryWindow::kGranule};
  const Outcome all = resident.Run(static_cast<uint32_t>(lanes), {});
  Row("all", all);
  const Outcome some = resident.Run(static_cast<uint32_t>(lanes), part);
  Row("part", some);
  const bool equal = AreEqual(all, some);
  std::printf("results and fuel of the first %u: %s; times as many lanes: %.1f; as fast: %.2f\n",
              std::min(all.lanes, some.lanes), equal ? "equal" : "NOT EQUAL",
              double(some.lanes) / all.lanes,
              (some.lanes / some.seconds) / (all.lanes / all.seconds));
  return equal ? 0 : 1;
}

}  // namespace
}  // namespace wb

int main(int argc, char** argv) { return wb::Main(argc, argv); }
