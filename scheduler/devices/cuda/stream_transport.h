#pragma once

// StreamTransport: launches by the driver. Each slot has a stream of its own, which events join
// with the streams of copies.

#include <array>
#include <memory>

#include "scheduler/devices/cuda/cuda_context.h"
#include "scheduler/devices/cuda/launch_transport.h"

namespace wb {

class StreamTransport final : public LaunchTransport {
 public:
  static Result<std::unique_ptr<LaunchTransport>> Create(CudaContextRef context);
  ~StreamTransport() override;

  Status Place(uint64_t number, CudaDispatch& dispatch, const LaunchLimits& limits) override;
  Status Start(uint64_t number, CudaDispatch& dispatch, const LaunchLimits& limits) override;
  void Drop(uint64_t) override {}
  Status AwaitEnd(uint64_t number) override;
  void RecordNext(uint64_t ended) override;
  Result<std::chrono::nanoseconds> AwaitRecords(uint64_t number, CudaDispatch& dispatch) override;
  LaneFuel lane_fuel(uint64_t number) const override {
    return LaneFuel::OfCounts(counts_[number % kSlots].data());
  }
  uint64_t control(uint64_t number) const override { return SlotOf(number).control.address(); }
  void* placed(uint64_t number) const override { return SlotOf(number).begin; }

 private:
  struct Slot {
    CudaBuffer control;
    // Events of the launch: inputs up, kernel begins, kernel has ended, records back.
    void* uploaded = nullptr;
    void* begin = nullptr;
    void* end = nullptr;
    void* downloaded = nullptr;
    void* stream = nullptr;
    float beside_ms = 0;  // that it ran while the one before it did
  };

  explicit StreamTransport(CudaContextRef context) : context_(std::move(context)) {}
  Status Fill();
  Slot& SlotOf(uint64_t number) { return slots_[number % kSlots]; }
  const Slot& SlotOf(uint64_t number) const { return slots_[number % kSlots]; }

  const CudaContextRef context_;
  std::array<Slot, kSlots> slots_;
  using Counts = std::array<uint32_t, abi::CONTROL_STEPPED_HI + 1 - abi::CONTROL_USEFUL_LO>;
  Counts* counts_ = nullptr;  // of each slot's last launch; pinned memory of the host
};

}  // namespace wb
