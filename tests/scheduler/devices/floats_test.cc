// The three kinds of floats on lanes: native, metal and fast32, the latter two where the device's
// threads flush subnormals.

#include <gtest/gtest.h>

#include "compiler/base/flush_subnormals.h"
#include "scheduler/devices/cpu/cpu_device.h"
#include "tests/built_objects/built_objects.h"
#include "tests/scheduler/devices/rig.h"

namespace wb::test {
namespace {

// 2^-126 * 0.5, the same + 2^-149, and 2^-1022 * 0.5 of f64, in bits. The numbers are arguments: a
// compiler would fold them without the device's flushing.
constexpr const char* kTiny =
    R"((module (func (export "run") (param $least i32) (param $bit i32) (param $least64 i32)
    (result i32 i32 i64)
  (i32.reinterpret_f32 (f32.mul (f32.reinterpret_i32 (local.get $least)) (f32.const 0.5)))
  (i32.reinterpret_f32 (f32.add (f32.mul (f32.reinterpret_i32 (local.get $least)) (f32.const 0.5))
                                (f32.reinterpret_i32 (local.get $bit))))
  (i64.reinterpret_f64
    (f64.mul (f64.reinterpret_i64 (i64.shl (i64.extend_i32_u (local.get $least64)) (i64.const 32)))
             (f64.const 0.5))))))";

class FloatsTest : public ::testing::Test {
 protected:
  static std::vector<uint32_t> Run(bool metal_device, Floats floats) {
    CpuSettings settings;
    settings.threads = 1;
    settings.metal_floats = metal_device;
    const std::unique_ptr<Device> device = CreateCpuDevice(settings).value();
    const auto module = LowerText(kTiny);
    CompileOptions options = device->info().options;
    options.floats = floats;
    const KernelSource source = EmitKernel(*module, options).value();
    const Bytes binary = BuildShared(*device, *module, source).value();
    const PipelineRef pipeline = device->Load(module, binary).value();
    const Work work{.module = module,
                    .steps = {Call("run", {Arg(0x00800000), Arg(1), Arg(0x00100000)})},
                    .lanes = 1};
    const auto dispatch = Seat(*device, pipeline, work);
    RunToEnd(*device, *dispatch);
    const std::span<const uint32_t> records = dispatch->records();
    return RecordOf({records.begin(), records.end()}, dispatch->shape(), 0).registers;
  }
};

TEST_F(FloatsTest, Fast32FlushesF32AndNothingElse) {
  const std::vector<uint32_t> exact = {0x00400000, 0x00400001, 0, 0x00080000};
  EXPECT_EQ(Run(false, Floats::kNative), exact);
  if (!FlushSubnormals::Supported()) GTEST_SKIP() << "This processor cannot flush subnormals.";
  EXPECT_EQ(Run(true, Floats::kMetal), exact);
  EXPECT_EQ(Run(true, Floats::kFast32), (std::vector<uint32_t>{0, 0, 0, 0x00080000}));
}

// Where the device flushes nothing, neither does fast32: it only lets it.
TEST_F(FloatsTest, Fast32IsExactOnADeviceThatIs) {
  EXPECT_EQ(Run(false, Floats::kFast32),
            (std::vector<uint32_t>{0x00400000, 0x00400001, 0, 0x00080000}));
}

}  // namespace
}  // namespace wb::test
