// Lanes hold the part of memory that instances come to, where all of it would leave too few lanes.

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "compiler/base/mutex.h"
#include "tests/fakes/forwarding_device.h"
#include "tests/scheduler/real_parts.h"
#include "tests/scheduler/scheduler_fixture.h"

namespace wb::test {
namespace {

// Of the layout of Rust's programs. Instance n writes and reads so many bytes behind the data, on
// each page of 4 KiB; one in RARE of them at the front of memory instead.
constexpr std::string_view kGuest = R"((module
  (memory PAGES 40) (global $stack (mut i32) (i32.const 1048576))
  (data (i32.const 1048576) "some data")
  (func (export "run") (param $n i32) (result i32) (local $a i32) (local $sum i32)
    (local.set $a (i32.const 1048600))
    (if (i32.eqz (i32.rem_u (i32.add (local.get $n) (i32.const 1)) (i32.const RARE)))
      (then (local.set $a (i32.const 4100))))
    (loop $l
      (i32.store (local.get $a) (i32.add (local.get $sum) (local.get $n)))
      (local.set $sum (i32.add (i32.load (local.get $a)) (i32.const 1)))
      (local.set $a (i32.add (local.get $a) (i32.const 4096)))
      (br_if $l (i32.lt_u (i32.and (local.get $a) (i32.const 0xfffff)) (i32.const BYTES))))
    (local.get $sum))))";

// What `run` gives: a page more or less makes another sum.
uint32_t SumOf(uint32_t n, uint32_t bytes, uint32_t rare) {
  uint32_t sum = 0;
  for (uint32_t at = (n + 1) % rare == 0 ? 4100 : 24; sum == 0 || at < bytes; at += 4096) {
    sum += n + 1;
  }
  return sum;
}

std::shared_ptr<const Module> GuestOf(uint32_t pages, uint32_t bytes, uint32_t rare) {
  std::string text(kGuest);
  text.replace(text.find("PAGES"), 5, std::to_string(pages));
  text.replace(text.find("RARE"), 4, std::to_string(rare));
  text.replace(text.find("BYTES"), 5, std::to_string(bytes));
  return ModuleOf(text);
}

struct Shapes {
  Mutex mutex;
  std::vector<DispatchShape> all WB_GUARDED_BY(mutex);
};

class ShapesOf final : public ForwardingDevice {
 public:
  ShapesOf(std::unique_ptr<Device> device, std::shared_ptr<Shapes> shapes)
      : ForwardingDevice(std::move(device)), shapes_(std::move(shapes)) {}
  Result<std::unique_ptr<Dispatch>> Allocate(const PipelineRef& pipeline,
                                             const DispatchShape& shape) override {
    auto dispatch = ForwardingDevice::Allocate(pipeline, shape);
    if (!dispatch.ok()) return dispatch;
    const MutexLock lock(shapes_->mutex);
    shapes_->all.push_back(shape);
    return dispatch;
  }

 private:
  const std::shared_ptr<Shapes> shapes_;
};

class WindowsOfJobsTest : public SchedulerTest {
 protected:
  static constexpr uint32_t kInstances = 700;

  // A dispatch may have memory for 3 lanes that hold all.
  void StartReal() {
    SchedulerParts parts = RealParts();
    parts.cpu = [shapes = shapes_](const std::function<void()>&) -> Result<StartedDevice> {
      CpuSettings settings;
      settings.threads = 2;
      settings.windows = Windows::kAlways;
      settings.memory_bytes = uint64_t{16} << 20;
      WB_ASSIGN(std::unique_ptr<Device> device, CreateCpuDevice(settings));
      return StartedDevice{std::make_unique<ShapesOf>(std::move(device), shapes)};
    };
    scheduler_ = AssembleScheduler(settings_, std::move(parts)).value();
  }
  void Run(uint32_t bytes, uint32_t rare, uint32_t pages = 34) {
    JobSpec spec = NumberJob(GuestOf(pages, bytes, rare), kInstances);
    spec.placement = Placement::kCpu;
    const SinkRef sink = Submit(std::move(spec));
    sink->AwaitEnd();
    ASSERT_TRUE(sink->status().ok()) << sink->status().ToString();
    const auto results = sink->Results();
    ASSERT_EQ(results.size(), kInstances);
    for (uint32_t i = 0; i < kInstances; ++i) {
      ASSERT_EQ(results[i].instance, i);
      ASSERT_EQ(results[i].attempt, 1u);
      ASSERT_EQ(results[i].steps.at(0).values.at(0), Value::I32(SumOf(i, bytes, rare))) << i;
    }
  }
  std::vector<DispatchShape> shapes() {
    const MutexLock lock(shapes_->mutex);
    return shapes_->all;
  }

  const std::shared_ptr<Shapes> shapes_ = std::make_shared<Shapes>();
};

TEST_F(WindowsOfJobsTest, ManyLanesWhereInstancesComeToLittle) {
  StartReal();
  ASSERT_NO_FATAL_FAILURE(Run(9000, kInstances + 1));
  ASSERT_FALSE(shapes().empty());
  for (const DispatchShape& shape : shapes()) {
    EXPECT_FALSE(shape.window.is_all());
    EXPECT_EQ(shape.lanes, 64u);
    EXPECT_EQ(shape.capacity_pages, 40u);
  }
}

TEST_F(WindowsOfJobsTest, LanesHoldMoreWhereAllMissSomething) {
  StartReal();
  ASSERT_NO_FATAL_FAILURE(Run(150'000, kInstances + 1));
  const std::vector<DispatchShape> all = shapes();
  ASSERT_GE(all.size(), 2u);
  EXPECT_LT(all.front().window.bytes, 60'000u);
  EXPECT_GE(all.back().window.end(), 1048576u + 150'000);
  EXPECT_GE(all.back().lanes, 20u);
  // The next job of the module begins with what this one has shown.
  ASSERT_NO_FATAL_FAILURE(Run(150'000, kInstances + 1));
  EXPECT_EQ(shapes()[all.size()].window, all.back().window);
}

TEST_F(WindowsOfJobsTest, ExceptionsAreInLanesThatHoldAll) {
  StartReal();
  ASSERT_NO_FATAL_FAILURE(Run(9000, 100));
  const std::vector<DispatchShape> all = shapes();
  const auto holds_all = [](const DispatchShape& shape) { return shape.window.is_all(); };
  EXPECT_TRUE(std::any_of(all.begin(), all.end(), holds_all));
  EXPECT_FALSE(std::all_of(all.begin(), all.end(), holds_all));
  EXPECT_FALSE(all.front().window.is_all());
}

TEST_F(WindowsOfJobsTest, LanesHoldAllWhereInstancesComeToAll) {
  StartReal();
  ASSERT_NO_FATAL_FAILURE(Run(1'000'000, 1, 17));
  EXPECT_TRUE(shapes().back().window.is_all());
}

}  // namespace
}  // namespace wb::test
