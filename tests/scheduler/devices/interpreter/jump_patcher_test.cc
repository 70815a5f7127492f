// Where jumps go: ahead to the end of a construct or an else arm, and back to a loop.

#include "scheduler/devices/interpreter/jump_patcher.h"

#include <gtest/gtest.h>

#include <vector>

namespace wb::test {
namespace {

using ir::ConstructKind;

// Constructs by number: the function, a block, a loop, and two ifs.
class JumpPatcherTest : public testing::Test {
 protected:
  static constexpr uint64_t kBody = 0, kBlock = 1, kLoop = 2, kIf = 3, kInnerIf = 4;

  static std::vector<ir::Construct> Constructs() {
    std::vector<ir::Construct> constructs;
    for (const ConstructKind kind :
         {ConstructKind::kFunction, ConstructKind::kBlock, ConstructKind::kLoop, ConstructKind::kIf,
          ConstructKind::kIf}) {
      constructs.emplace_back().kind = kind;
    }
    return constructs;
  }
  void Emit(int instructions = 1) { out_.code.resize(out_.code.size() + instructions); }
  uint32_t Target(size_t instruction) const { return out_.code[instruction].dst; }

  ByteFunction out_;
  const std::vector<ir::Construct> constructs_ = Constructs();
  JumpPatcher patcher_{constructs_, out_};
};

TEST_F(JumpPatcherTest, AJumpAheadGoesBehindTheConstruct) {
  Emit();
  patcher_.JumpTo(kBlock);
  Emit();
  patcher_.JumpTo(kBody);
  Emit();
  patcher_.JumpTo(kBlock);
  patcher_.End(kBlock);
  Emit(2);
  patcher_.End(kBody);
  EXPECT_EQ(Target(0), 3u);
  EXPECT_EQ(Target(1), 5u);
  EXPECT_EQ(Target(2), 3u);
}

TEST_F(JumpPatcherTest, AJumpBackGoesToTheLoopsFirstInstruction) {
  Emit(2);
  patcher_.BeginLoop(kLoop);
  Emit(3);
  patcher_.JumpTo(kLoop);
  EXPECT_EQ(Target(4), 2u);
  patcher_.End(kLoop);
  EXPECT_EQ(Target(4), 2u);
}

TEST_F(JumpPatcherTest, AnIfWithoutAnElseArmSkipsToItsEnd) {
  Emit();
  patcher_.JumpToElse(kIf);
  Emit(2);
  patcher_.End(kIf);
  EXPECT_EQ(Target(0), 3u);
}

TEST_F(JumpPatcherTest, ElseArmsOfNestedIfsAreToldApart) {
  Emit();
  patcher_.JumpToElse(kIf);
  Emit();
  patcher_.JumpToElse(kInnerIf);
  Emit();
  patcher_.JumpTo(kInnerIf);  // from the arm that is done
  patcher_.BeginElse(kInnerIf);
  Emit();
  patcher_.End(kInnerIf);
  Emit();
  patcher_.JumpTo(kIf);
  patcher_.BeginElse(kIf);
  Emit();
  patcher_.End(kIf);
  EXPECT_EQ(Target(1), 3u);
  EXPECT_EQ(Target(2), 4u);
  EXPECT_EQ(Target(0), 5u);
  EXPECT_EQ(Target(4), 6u);
}

TEST_F(JumpPatcherTest, ATablesTargetsGoWhereJumpsDo) {
  Emit();
  patcher_.BeginLoop(kLoop);
  Emit();
  for (const uint64_t construct : {kBlock, kLoop, kBody}) patcher_.AddTarget(construct);
  patcher_.End(kLoop);
  Emit();
  patcher_.End(kBlock);
  Emit();
  patcher_.End(kBody);
  EXPECT_EQ(out_.targets, (std::vector<uint32_t>{3, 1, 4}));
}

TEST_F(JumpPatcherTest, AnElseArmThatNoJumpWaitsForStopsTheProcess) {
  EXPECT_DEATH(patcher_.BeginElse(kIf), "has_if");
}

}  // namespace
}  // namespace wb::test
