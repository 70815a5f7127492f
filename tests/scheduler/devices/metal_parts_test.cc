// The metal device's pure parts: slices, binaries, faults.

#include <gtest/gtest.h>

#include "scheduler/devices/metal/metal_binary.h"
#include "scheduler/devices/metal/metal_fault.h"
#include "scheduler/devices/metal/slices.h"

namespace wb {
namespace {

using std::chrono::milliseconds;
using std::chrono::nanoseconds;

TEST(SlicePolicyTest, ADisplayHeatAndBatteriesMakeSlicesShort) {
  EXPECT_EQ(ChooseSlicePolicy({.headless = true}, {}).slice, milliseconds(50));
  EXPECT_EQ(ChooseSlicePolicy({.headless = false}, {}).slice, milliseconds(20));
  EXPECT_EQ(ChooseSlicePolicy({.headless = false}, milliseconds(7)).slice, milliseconds(7));
  EXPECT_EQ(ChooseSlicePolicy({.thermal_state = 1}, {}).in_flight, 2u);
  const SlicePolicy serious = ChooseSlicePolicy({.thermal_state = 2, .headless = true}, {});
  EXPECT_EQ(serious.slice, milliseconds(10));
  EXPECT_EQ(serious.in_flight, 1u);
  EXPECT_EQ(serious.rest, milliseconds(10));
  EXPECT_EQ(ChooseSlicePolicy({.thermal_state = 3}, {}).rest, milliseconds(40));
  EXPECT_EQ(ChooseSlicePolicy({.low_power_mode = true}, milliseconds(5)).slice, milliseconds(5));
}

// A GPU on which a unit of fuel takes `unit`, and a slice `overhead` besides.
uint64_t AimAfter(int slices, nanoseconds unit, nanoseconds overhead, SliceAim aim = {}) {
  for (int i = 0; i < slices; ++i) {
    const uint64_t fuel = aim.next();
    aim.Record(fuel, overhead + static_cast<int64_t>(fuel) * unit, milliseconds(20));
  }
  return aim.next();
}

TEST(SliceAimTest, FindsTheLengthInAFewSlicesFromEitherSide) {
  for (const int64_t unit : {1, 10, 100, 1000, 5000}) {
    const auto length = static_cast<double>(AimAfter(6, nanoseconds(unit), {}) * unit);
    EXPECT_NEAR(length, 20e6, 1e6) << unit;
  }
}

TEST(SliceAimTest, StaysInBoundsWhateverItIsTold) {
  SliceAim aim;
  aim.Record(1, nanoseconds(0), milliseconds(20));
  EXPECT_GE(aim.next(), 256u);
  for (int i = 0; i < 100; ++i) aim.Record(aim.next(), nanoseconds(0), milliseconds(20));
  EXPECT_LE(aim.next(), uint64_t{1} << 40);
  for (int i = 0; i < 100; ++i) aim.Record(aim.next(), std::chrono::hours(1), nanoseconds(0));
  EXPECT_EQ(aim.next(), 256u);
}

TEST(MetalBinaryTest, GivesBackWhatWasPutIn) {
  const Bytes archive = {1, 2, 3};
  const Bytes binary = EncodeMetalBinary({"text", archive});
  const MetalBinary parts = *DecodeMetalBinary(binary);
  EXPECT_EQ(parts.text, "text");
  EXPECT_EQ(Bytes(parts.archive.begin(), parts.archive.end()), archive);
  const Bytes bare = EncodeMetalBinary({"", {}});
  EXPECT_TRUE(DecodeMetalBinary(bare)->archive.empty());
}

TEST(MetalBinaryTest, RefusesWhatIsCutOrChanged) {
  const Bytes archive = {1, 2, 3};
  const Bytes binary = EncodeMetalBinary({"text", archive});
  for (size_t length = 0; length < binary.size(); ++length) {
    const ByteView cut(binary.data(), length);
    EXPECT_EQ(DecodeMetalBinary(cut).status().reason(), Reason::kCompileFailed) << length;
  }
  for (size_t at = 0; at < 24; ++at) {
    Bytes changed = binary;
    changed[at] ^= 0x80;
    EXPECT_FALSE(DecodeMetalBinary(changed).ok()) << at;
  }
}

TEST(MetalFaultTextTest, TheDriversTextIsMoreTellingThanItsCode) {
  const Status status = StatusOfFault({"MTLCommandBufferErrorDomain", 1,
                                       "(0000000e:kIOGPUCommandBufferCallbackError"
                                       "ImpactingInteractivity)"});
  EXPECT_NE(status.message().find("display"), std::string::npos);
  EXPECT_NE(status.message().find("code [1]"), std::string::npos);
  EXPECT_NE(StatusOfFault({"SomeOtherDomain", 2, ""}).message().find("does not know"),
            std::string::npos);
}

}  // namespace
}  // namespace wb
