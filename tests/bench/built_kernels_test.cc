// Kernels of the race that were built ahead are those of the text that is to run.

#include "bench/race/built_kernels.h"

#include <gtest/gtest.h>

#include <fstream>

#include "bench/race/race_work.h"
#include "bench/temporary_folder.h"
#include "scheduler/devices/cuda/cuda_builder.h"

namespace wb::bench {
namespace {

// A compiler whose code is a word, for the first kernel of the list.
class BuiltKernelsTest : public testing::Test {
 protected:
  BuiltKernelsTest() {
    CudaBuilds builds;
    builds.target = "sm_90";
    builds.build = [](const KernelSource&) { return Bytes{'c', 'o', 'd', 'e'}; };
    device_ = CreateCudaBuilder("cuda", std::move(builds));
    settings_.folder = WB_RACE;
  }

  Bytes Pipeline() const { return PipelineOf(kernel_, settings_, *device_, *work_.module); }
  // What is built ahead begins with a digest of 64 digits.
  void Write(const char* ending, const std::string& digest, const std::string& code) {
    settings_.built = folder_.path();
    std::ofstream(folder_.path() + "/" + kernel_.name + ending) << digest << code;
  }
  std::string DigestOfText() const {
    return Must(EmitKernel(*work_.module, device_->info().options), "emit").digest.Hex();
  }

  const TemporaryFolder folder_;
  RaceSettings settings_;
  std::unique_ptr<Device> device_;
  const RaceKernel kernel_ = ReadKernels(WB_RACE).at(0);
  const Work work_ = WorkOf(kernel_, WB_RACE, 1);
};
using BuiltKernelsDeathTest = BuiltKernelsTest;

TEST_F(BuiltKernelsTest, WithoutAFolderTheyAreBuilt) {
  EXPECT_EQ(Pipeline(), (Bytes{'c', 'o', 'd', 'e'}));
}

TEST_F(BuiltKernelsTest, ThoseOfTheTextAreTaken) {
  Write(".kernel", DigestOfText(), "ahead");
  EXPECT_EQ(Pipeline(), (Bytes{'a', 'h', 'e', 'a', 'd'}));
  Write(".cuda", Sha256(AsBytes(FileContents(settings_.folder + "/" + kernel_.text))).Hex(), "cu");
  EXPECT_EQ(HandCodeOf(kernel_, settings_), "cu");
}

TEST_F(BuiltKernelsDeathTest, ThoseOfAnotherTextAreRefused) {
  Write(".kernel", std::string(64, '0'), "ahead");
  EXPECT_EXIT(Pipeline(), testing::ExitedWithCode(1), "was built of another text");
  Write(".kernel", DigestOfText().substr(0, 63), "");
  EXPECT_EXIT(Pipeline(), testing::ExitedWithCode(1), "was built of another text");
  Write(".cuda", std::string(64, '0'), "cu");
  EXPECT_EXIT(HandCodeOf(kernel_, settings_), testing::ExitedWithCode(1), "another text");
}

TEST_F(BuiltKernelsDeathTest, ThoseThatAreNotThereAreNamed) {
  settings_.built = folder_.path();
  EXPECT_EXIT(Pipeline(), testing::ExitedWithCode(2), "[.]kernel");
}

}  // namespace
}  // namespace wb::bench
