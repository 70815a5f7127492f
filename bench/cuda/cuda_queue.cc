// Instances of equal and of exponentially distributed length out of a queue of seats, on an NVIDIA
// GPU and by the device alone: what lanes and quanta do to them, without a scheduler.
//
//   cuda_queue [--resident] LENGTHS.wasm [MEAN [PER_LANE]]
//   cuda_queue [--resident] --of FILE.wasm EXPORT [PER_LANE]
//
// A row for every number of lanes and quantum: instructions a second of equal lengths; of
// exponential ones until an eighth of the lanes finds the queue empty ("flowing"), and until the
// last has ended ("to the end"), both as shares of the equal ones' with as many lanes. PER_LANE
// instances a lane (16), of MEAN rounds (50,000; some 17.5 instructions each). --of: another
// guest's function of one number, PER_LANE (4) instances a lane, to the end; what a quantum costs a
// guest whose memory is its work.

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>

#include "bench/cuda/probe_work.h"
#include "scheduler/devices/cuda/cuda_device.h"

namespace wb {
namespace {

constexpr uint32_t kWhole = 1u << 20;  // a quantum
constexpr uint32_t kQuanta[] = {5'000, 20'000, 50'000, 200'000, kWhole};

struct Totals {
  double fuel = 0;
  double seconds = 0;
  double Rate() const { return fuel / seconds; }
};

class Queue {
 public:
  Queue(Device& device, const std::string& file, const char* function,
        const std::vector<Argument>& arguments, uint32_t lanes, uint32_t per_lane)
      : device_(device), work_(PrepareWork(file, function, lanes * per_lane, arguments)) {
    const std::vector<uint32_t> columns = work_.Columns();
    work_.shape.seats = work_.shape.lanes;
    work_.shape.lanes = lanes;
    const auto source = Must(EmitKernel(*work_.module, device.info().options), "emit");
    pipeline_ =
        Must(device.Load(work_.module, Must(device.Build(*work_.module, source), "build")), "load");
    dispatch_ = Must(device.Allocate(pipeline_, work_.shape), "allocate");
    std::copy(columns.begin(), columns.end(), dispatch_->columns().begin());
  }

  void Fill() {
    const std::span<uint32_t> records = dispatch_->records();
    for (size_t at = 0; at < records.size(); at += work_.shape.RecordWords()) {
      MarkStart(records.subspan(at));
      records[at + abi::RECORD_FUEL_LO] = records[at + abi::RECORD_FUEL_HI] = 0;
    }
    launched_ = false;
  }
  // Fuel and time since Fill().
  void Run(uint32_t quantum, uint32_t most_idle, Totals* totals) {
    LaunchLimits limits;
    limits.max_duration = std::chrono::hours(1);
    limits.quantum = quantum;
    limits.most_idle = most_idle;
    limits.seats_written = !launched_;
    const LaunchReport report = Must(device_.Launch(*dispatch_, limits), "launch");
    launched_ = true;
    totals->seconds += std::chrono::duration<double>(report.busy).count();
    totals->fuel = 0;
    const std::span<uint32_t> records = dispatch_->records();
    for (size_t at = 0; at < records.size(); at += work_.shape.RecordWords()) {
      totals->fuel +=
          records[at + abi::RECORD_FUEL_LO] + 4294967296.0 * records[at + abi::RECORD_FUEL_HI];
    }
  }

 private:
  Device& device_;
  Work work_;
  PipelineRef pipeline_;
  std::unique_ptr<Dispatch> dispatch_;
  bool launched_ = false;
};

std::vector<Argument> SeedAnd(uint32_t mean) {
  return {{ValueType::kI32, 0, 1}, {ValueType::kI32, double(mean), 0}};
}

void Rows(Device& device, const std::string& file, uint32_t mean, uint32_t lanes,
          uint32_t per_lane) {
  double equal_rate = 0;
  {
    Queue equal(device, file, "equal", SeedAnd(mean), lanes, per_lane);
    for (int round = 0; round < 2; ++round) {  // the first one warms up
      Totals totals;
      equal.Fill();
      equal.Run(kWhole, ~0u, &totals);
      equal_rate = totals.Rate();
    }
  }
  Queue exponential(device, file, "exponential", SeedAnd(mean), lanes, per_lane);
  Totals warm;
  exponential.Fill();
  exponential.Run(kWhole, ~0u, &warm);
  for (const uint32_t quantum : kQuanta) {
    Totals totals;
    exponential.Fill();
    exponential.Run(quantum, lanes / 8, &totals);
    const double flowing = totals.Rate() / equal_rate;
    exponential.Run(quantum, ~0u, &totals);
    std::printf("%8u %8u   %10.3e %10.3f %10.3f\n", lanes, quantum, equal_rate, flowing,
                totals.Rate() / equal_rate);
    std::fflush(stdout);
  }
}

void RowsOf(Device& device, const std::string& file, const char* function, uint32_t per_lane) {
  std::printf("%8s %8s   %10s\n", "lanes", "quantum", "instr/s");
  for (const uint32_t share : {1u, 4u}) {
    const uint32_t lanes = device.info().threads / share;
    Queue queue(device, file, function, {{ValueType::kI32, 0, 1}}, lanes, per_lane);
    Totals warm;
    queue.Fill();
    queue.Run(kWhole, ~0u, &warm);
    for (const uint32_t quantum : kQuanta) {
      Totals totals;
      queue.Fill();
      queue.Run(quantum, ~0u, &totals);
      std::printf("%8u %8u   %10.3e\n", lanes, quantum, totals.Rate());
      std::fflush(stdout);
    }
  }
}

constexpr const char* kUse =
    "usage: cuda_queue [--resident] LENGTHS.wasm [MEAN [PER_LANE]]\n"
    "       cuda_queue [--resident] --of FILE.wasm EXPORT [PER_LANE]\n";

int Main(int argc, char** argv) {
  CudaSettings settings;
  if (argc > 1 && std::string_view(argv[1]) == "--resident") {
    settings.resident = true;
    ++argv;
    --argc;
  }
  if (argc > 1 && std::string_view(argv[1]) == "--of") {
    const int per_lane = argc > 4 ? std::atoi(argv[4]) : 4;
    if (argc < 4 || argc > 5 || per_lane < 1) return std::fputs(kUse, stderr), 2;
    const auto device = Must(CreateCudaDevice(settings), "cuda device");
    RowsOf(*device, argv[2], argv[3], static_cast<uint32_t>(per_lane));
    return 0;
  }
  const int mean = argc > 2 ? std::atoi(argv[2]) : 50'000;
  const int per_lane = argc > 3 ? std::atoi(argv[3]) : 16;
  if (argc < 2 || argc > 4 || mean < 1 || per_lane < 1) {
    std::fputs(kUse, stderr);
    return 2;
  }
  const auto device = Must(CreateCudaDevice(settings), "cuda device");
  std::printf("%s: %d instances a lane, %d rounds on average\n", device->info().name.c_str(),
              per_lane, mean);
  std::printf("%8s %8s   %10s %10s %10s\n", "lanes", "quantum", "equal", "flowing", "to the end");
  for (uint32_t lanes = device->info().threads; lanes >= device->info().threads / 8; lanes /= 2) {
    Rows(*device, argv[1], static_cast<uint32_t>(mean), lanes, static_cast<uint32_t>(per_lane));
  }
  return 0;
}

}  // namespace
}  // namespace wb

int main(int argc, char** argv) { return wb::Main(argc, argv); }
