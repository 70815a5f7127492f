// The kernel that stays on the GPU: when it comes, and what it goes for.

#include <gtest/gtest.h>

#include <thread>

#include "scheduler/devices/cuda/resident_kernel.h"
#include "tests/scheduler/devices/agreement_cases.h"
#include "tests/scheduler/devices/cuda_rig.h"
#include "tests/scheduler/devices/lane_moves.h"

namespace wb::test {
namespace {

class ResidentKernelTest : public CudaDeviceTest {};

TEST_P(ResidentKernelTest, OneServesAllLaunchesOfAPipeline) {
  const Work work = WorkOf(kSpin, "twice");
  const auto dispatch = SeatOf(work);
  for (int i = 0; i < 20; ++i) {
    for (uint32_t lane = 0; lane < work.lanes; ++lane) {
      MarkStart(dispatch->records().subspan(size_t{lane} * dispatch->shape().RecordWords()));
    }
    ASSERT_EQ(device_->Launch(*dispatch, {})->seats_left, 0u);
    EXPECT_EQ(SeatState(*dispatch, 7), abi::SEAT_DONE);
  }
  EXPECT_EQ(gpu_.posts(), 20u);
  EXPECT_EQ(gpu_.launches(), 1u);
}

TEST_P(ResidentKernelTest, GoesForAnotherPipelineOrBlock) {
  const Work work = WorkOf(kSpin, "twice");
  const std::vector<uint32_t> wanted = Records(Cpu(), work);
  const PipelineRef one = BuildOn(*device_, work.module), two = BuildOn(*device_, work.module);
  const auto launch = [&](const PipelineRef& pipeline, uint32_t block_threads) {
    const auto dispatch = Seat(*device_, pipeline, work);
    LaunchLimits limits;
    limits.occupancy.block_threads = block_threads;
    ASSERT_TRUE(device_->Launch(*dispatch, limits).ok());
    EXPECT_TRUE(std::equal(wanted.begin(), wanted.end(), dispatch->records().begin()));
    EXPECT_EQ(gpu_.block, block_threads);
  };
  launch(one, 128);
  launch(two, 128);
  launch(two, 64);
  EXPECT_EQ(gpu_.launches(), 3u);
}

// On a GPU such a call would wait for it for ever.
TEST_P(ResidentKernelTest, GoesForMemoryOnceItsLaunchesHaveEnded) {
  const auto spinning = SeatOf(WorkOf(kSpin, "forever", 3));
  LaunchLimits limits;
  limits.max_duration = std::chrono::milliseconds(30);
  ASSERT_TRUE(device_->Begin(*spinning, limits).ok());
  EXPECT_TRUE(gpu_.kernel_stays());
  const Work work = WorkOf(kSpin, "twice");
  const auto dispatch = SeatOf(work);
  EXPECT_FALSE(gpu_.kernel_stays());
  EXPECT_EQ(device_->Await()->seats_left, 3u);
  EXPECT_EQ(device_->Launch(*dispatch, {})->seats_left, 0u);
  EXPECT_EQ(device_->Launch(*spinning, limits)->seats_left, 3u);
}

// It may hold words of lanes in its caches, so it is not there while the host looks at them.
TEST_P(ResidentKernelTest, GoesForLanesThatMove) {
  Work work = WorkOf(kStateCases[0].wat, "run", 40);
  work.seats = 60;
  work.columns[0].resize(60, 5);
  const size_t words = work.Shape().RecordWords();
  const auto wanted = OfInstances(Records(Cpu(), work), words);
  const PipelineRef pipeline = BuildOn(*device_, work.module);
  auto dispatch = Seat(*device_, pipeline, work);
  LaunchLimits limits;
  size_t moved = 0;
  for (limits.slice_fuel = 3; limits.slice_fuel < 50; limits.slice_fuel *= 2) {
    ASSERT_TRUE(device_->Launch(*dispatch, limits).ok());
    EXPECT_TRUE(gpu_.kernel_stays());
    const std::vector<LanePlace> places = ExportAll(*device_, *dispatch);
    EXPECT_FALSE(gpu_.kernel_stays());
    moved += places.size();
    dispatch = SeatOnward(*device_, pipeline, work, *dispatch, places);
  }
  RunToEnd(*device_, *dispatch);
  EXPECT_GE(moved, 40u);
  EXPECT_EQ(OfInstances(dispatch->records(), words), wanted);
}

TEST_P(ResidentKernelTest, GoesWhenThereIsNothingToDoForAWhile) {
  const auto dispatch = SeatOf(WorkOf(kSpin, "twice"));
  ASSERT_TRUE(device_->Launch(*dispatch, {}).ok());
  EXPECT_TRUE(gpu_.kernel_stays());
  while (gpu_.kernel_stays()) std::this_thread::sleep_for(std::chrono::milliseconds(10));
  EXPECT_TRUE(device_->Launch(*dispatch, {}).ok());
}

TEST_P(ResidentKernelTest, AFaultInItIsALostDevice) {
  const auto dispatch = SeatOf(WorkOf(kSpin, "twice"));
  gpu_.Fail("stream_query", 700);
  ASSERT_TRUE(device_->Begin(*dispatch, {}).ok());
  EXPECT_EQ(device_->Await().status().reason(), Reason::kDeviceLost);
  gpu_.Fail("", 0);
}

// The thread that waits for launches is told that there is nothing to do, and before it acts
// another thread has posted one: it must come back to wait for that one, or none does.
class ResidentWayTest : public testing::Test {
 protected:
  ResidentWayTest()
      : context_(CudaContext::Open(gpu_.Parts().driver, 0).value()),
        transport_(ResidentKernel::Create(context_).value()) {
    const std::shared_ptr<const LoweredModule> module =
        LowerText("(module (func (export \"run\") (param i32)))");
    const KernelSource source = *EmitKernel(*module, Options());
    const CudaPipelineRef pipeline =
        CudaPipeline::Load(context_, module, *gpu_.Parts().builds.build(source), "wb_resident", 64)
            .value();
    DispatchShape shape;
    shape.lanes = 32;
    dispatch_ = CudaDispatch::Create(context_, pipeline, shape, *AnonymousHostMemory(), {}).value();
  }
  ~ResidentWayTest() override {
    dispatch_.reset();
    transport_.reset();
  }
  static CompileOptions Options() {
    CompileOptions options;
    options.layout = MemoryLayout::kInterleaved;
    return options;
  }

  FakeGpu gpu_;
  CudaContextRef context_;
  std::unique_ptr<LaunchTransport> transport_;
  std::unique_ptr<CudaDispatch> dispatch_;
};

TEST_F(ResidentWayTest, StaysForALaunchThatCameAsItWasToGo) {
  ASSERT_TRUE(transport_->Place(0, *dispatch_, {}).ok());
  transport_->RecordIdle();
  EXPECT_TRUE(gpu_.kernel_stays());
  transport_->Drop(0);
  transport_->RecordIdle();
  EXPECT_FALSE(gpu_.kernel_stays());
}

TEST_F(ResidentWayTest, IsNotWaitedForByTheThreadThatWaits) {
  ASSERT_TRUE(transport_->Place(0, *dispatch_, {}).ok());
  std::thread maker([this] {  // holds the lock until the launch has ended
    EXPECT_EQ(context_->WithIdleGpu([] { return 7; }), 7);
  });
  for (int i = 0; i < 200; ++i) {
    transport_->RecordIdle();
    std::this_thread::sleep_for(std::chrono::microseconds(100));
  }
  transport_->Drop(0);
  maker.join();
  EXPECT_FALSE(gpu_.kernel_stays());
}

INSTANTIATE_TEST_SUITE_P(Resident, ResidentKernelTest, testing::Values(true));

}  // namespace
}  // namespace wb::test
