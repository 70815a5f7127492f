#include "tests/scheduler/engine_host/tampered_device.h"

#include <utility>

#include "tests/fakes/forwarding_device.h"

namespace wb::test {
namespace {

constexpr const char* kFirstLine = "  bool here = gid < P.lanes";

// Seat i's instance is word i of column 0; the first launch with it in a seat that is not empty is
// the one. (Other lanes may have ended it by the time that this one looks.)
constexpr const char* kStrikes = R"(  if (gid == 0u) {
    uint seats = P.seats != 0u ? P.seats : P.lanes;
    bool strikes = false;
    for (uint i = 0u; i < seats; ++i) {
      strikes = strikes || (records[i * P.record_words] != 0u && columns[i] == WB_STRUCK);
    }
    if (strikes) {
      WB_FAULT
    }
  }
)";
constexpr const char* kBadWrite = "*(volatile uint *)((ulong)16u) = 1u;";
// The seat's state is never that; a loop with nothing in it a compiler may leave out.
constexpr const char* kEndless =
    "while (*(volatile device uint *)records != 0xdeadbeefu) { state[0] = state[0] + 1u; }";

class TamperedDevice final : public ForwardingDevice {
 public:
  TamperedDevice(std::shared_ptr<Device> device, std::shared_ptr<FaultPlan> plan)
      : ForwardingDevice(std::move(device)), plan_(std::move(plan)) {}

  Result<PipelineRef> Load(std::shared_ptr<const LoweredModule> module, ByteView binary) override {
    const Fault fault = plan_->next.exchange(Fault::kNone);
    if (fault == Fault::kNone) return real_->Load(std::move(module), binary);
    WB_ASSIGN(KernelSource source, EmitKernel(*module, info().options));
    WB_ASSIGN(source.text, Tampered(std::move(source.text), fault, plan_->instance));
    WB_ASSIGN(const Bytes bad, real_->Build(*module, source));
    return real_->Load(std::move(module), bad);
  }

 private:
  const std::shared_ptr<FaultPlan> plan_;
};

}  // namespace

Result<std::string> Tampered(std::string text, Fault fault, uint32_t instance) {
  const size_t at = text.find(kFirstLine);
  if (at == std::string::npos) {
    return Status(Reason::kInternal, "The kernel text does not begin as the test expects.");
  }
  std::string words = kStrikes;
  const auto put = [&words](const std::string& name, const std::string& value) {
    words.replace(words.find(name), name.size(), value);
  };
  put("WB_STRUCK", std::to_string(instance) + "u");
  put("WB_FAULT", fault == Fault::kHang ? kEndless : kBadWrite);
  text.insert(at, words);
  return text;
}

StartedDevice WithFaults(StartedDevice started, std::shared_ptr<FaultPlan> plan) {
  started.device = std::make_shared<TamperedDevice>(std::move(started.device), std::move(plan));
  return started;
}

}  // namespace wb::test
