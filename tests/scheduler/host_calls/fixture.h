#pragma once

// A scheduler whose interpreter is real and can die, for jobs that ask their caller.

#include <atomic>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "compiler/link/bindings.h"
#include "scheduler/devices/interpreter/interpreter_device.h"
#include "scheduler/job/host_calls/host_call_queue.h"
#include "tests/compiler/wasm/assemble.h"
#include "tests/fakes/forwarding_device.h"
#include "tests/scheduler/scheduler_fixture.h"

namespace wb::test {

// Three calls of `ask`, each with the instance's number and what was answered last; `text` sends
// what stands in memory and reads what the answer has written.
inline constexpr std::string_view kAsking = R"((module
  (import "env" "ask" (func $ask (param i32 i32) (result i32)))
  (import "env" "text" (func $text (param i32 i32) (result i32)))
  (memory (export "memory") 1)
  (data (i32.const 100) "hello")
  (func (export "run") (param $n i32) (result i32) (local $i i32) (local $last i32)
    (loop $again
      (local.set $last (call $ask (local.get $n) (local.get $last)))
      (br_if $again (i32.lt_u (local.tee $i (i32.add (local.get $i) (i32.const 1)))
                              (i32.const 3))))
    (local.get $last))
  (func (export "tell") (param $n i32) (result i32)
    (i32.add (call $text (i32.const 100) (local.get $n)) (i32.load8_u (i32.const 200)))))
)";

// Passes everything on until its launch with this number, which kills it.
class MortalDevice final : public ForwardingDevice {
 public:
  MortalDevice(std::shared_ptr<Device> real, std::atomic<int>& launches_left)
      : ForwardingDevice(std::move(real)), launches_left_(launches_left) {}
  Result<LaunchReport> Await() override {
    Result<LaunchReport> report = real_->Await();
    if (--launches_left_ == 0) return Status(Reason::kDeviceLost, "It died in a test.");
    return report;
  }

 private:
  std::atomic<int>& launches_left_;
};

class HostCallTest : public SchedulerTest {
 protected:
  void StartReal() {
    SchedulerParts parts;
    parts.cpu = cpu_.Starter();
    parts.interpreter = [this](const std::function<void()>&) -> Result<StartedDevice> {
      InterpreterSettings settings;
      settings.id = "interpreter0";
      settings.threads = 2;
      return StartedDevice{
          std::make_unique<MortalDevice>(CreateInterpreterDevice(settings), launches_left_)};
    };
    parts.compiler = RealCompiler(std::make_shared<LoweredModules>());
    parts.clock = &clock_;
    scheduler_ = AssembleScheduler(settings_, std::move(parts)).value();
  }

  // A job of `kAsking` that calls the export with its number.
  JobSpec AskingJob(uint64_t instances, const char* called = "run") {
    const NamedModules modules = {{"", Module::Decode(MustAssemble(kAsking)).value()}};
    const BoundModules bound =
        BindModules(modules,
                    {{"env.ask", Binding::Way::kHost, {}, {}},
                     {"env.text", Binding::Way::kHost, {}, {{0, CallBytes::Length::kArgument, 1}}}})
            .value();
    JobSpec spec = NumberJob(Link(PartsOf(bound), {}, Instantiation::kAtStart).value(), instances);
    std::get<CallStep>(spec.steps.at(0)).function = called;
    spec.placement = Placement::kInterpreter;
    spec.host_imports = bound.host;
    spec.host_calls = queue_ = std::make_shared<HostCallQueue>(bound.host);
    return spec;
  }

  // The calls that come until there are so many.
  std::vector<HostCall> AwaitCalls(size_t count) {
    std::vector<HostCall> calls;
    while (calls.size() < count) {
      for (HostCall& call : queue_->Take(HostCallQueue::kMostInFlight)) {
        calls.push_back(std::move(call));
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    return calls;
  }

  static HostAnswer Next(const HostCall& call) {
    const uint32_t answer = call.args.at(0).words[0] * 10 + call.args.at(1).words[0] + 1;
    return {call.instance, call.number, {Value::I32(answer)}, {}, ""};
  }
  static uint32_t NextOf(uint32_t n) { return 3 * (n * 10 + 1); }

  std::shared_ptr<HostCallQueue> queue_;
  std::atomic<int> launches_left_{1 << 30};
};

}  // namespace wb::test
