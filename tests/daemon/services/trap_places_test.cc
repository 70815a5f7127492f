#include "daemon/services/trap_places.h"

#include <gtest/gtest.h>

#include "compiler/abi/lane.h"
#include "tests/compiler/debug/debug_bytes.h"
#include "tests/compiler/wasm/assemble.h"
#include "wasmburst/v1/jobs.pb.h"
#include "wasmburst/v1/results.pb.h"

namespace wb {
namespace {

namespace v1 = wasmburst::v1;

class TrapPlacesTest : public testing::Test {
 protected:
  // A module of one function, named, whose code is line 8 of src/NAME.c.
  Digest Store(const std::string& name) {
    Bytes wasm = test::MustAssemble("(module (func (unreachable)))");
    code_at_ = FindDebugSections(wasm).code_at;
    wasm = test::WithCustom(wasm, "name", test::NameSection({{0, name}}));
    wasm = test::WithCustom(wasm, ".debug_line",
                            test::LineSection(4, "src", name + ".c", {{2, 8}, {4, 8}}));
    const auto module = Module::Decode(wasm).value();
    EXPECT_TRUE(modules_->Put(module, {}, 0).ok());
    return module->digest();
  }
  v1::Trap* AddTrap(uint32_t offset) {
    v1::Trap* trap = results_.add_results()->mutable_trap();
    trap->set_offset(code_at_ + offset);
    return trap;
  }

  std::shared_ptr<ModuleStore> modules_ = std::make_shared<MemoryModuleStore>(1 << 20);
  std::shared_ptr<JobRequest> request_ = std::make_shared<JobRequest>();
  v1::ReadResultsResponse results_;
  uint32_t code_at_ = 0;
};

TEST_F(TrapPlacesTest, TrapsOfInstancesAndStepsAndFramesHaveNamesAndLines) {
  request_->module = Store("main");
  AddTrap(3);
  v1::InstanceResult* other = results_.add_results();
  other->add_steps()->mutable_trap()->set_offset(code_at_ + 3);
  other->add_backtrace()->set_offset(code_at_ + 3);
  TrapPlaces(modules_, request_).AddTo(&results_);
  EXPECT_EQ(results_.results(0).trap().function_name(), "main");
  EXPECT_EQ(results_.results(0).trap().file(), "src/main.c");
  EXPECT_EQ(results_.results(0).trap().line(), 8u);
  EXPECT_EQ(other->steps(0).trap().file(), "src/main.c");
  EXPECT_EQ(other->backtrace(0).function_name(), "main");
}

TEST_F(TrapPlacesTest, ALinkedModuleTellsOfItsOwn) {
  request_->module = Store("main");
  request_->linked = {{"env", Store("library")}};
  AddTrap(3)->set_module("env");
  AddTrap(3)->set_module("no such");
  AddTrap(3)->set_function(abi::NONE);
  TrapPlaces(modules_, request_).AddTo(&results_);
  EXPECT_EQ(results_.results(0).trap().function_name(), "library");
  EXPECT_EQ(results_.results(0).trap().file(), "src/library.c");
  EXPECT_EQ(results_.results(1).trap().function_name(), "");
  EXPECT_EQ(results_.results(2).trap().function_name(), "");
}

TEST_F(TrapPlacesTest, OfADeletedModuleNothingIsKnown) {
  request_->module = Store("main");
  ASSERT_TRUE(modules_->Delete(request_->module).ok());
  AddTrap(3);
  TrapPlaces(modules_, request_).AddTo(&results_);
  EXPECT_EQ(results_.results(0).trap().function_name(), "");
}

TEST_F(TrapPlacesTest, TheFirstHundredPlacesAreLookedUp) {
  request_->module = Store("main");
  for (uint32_t i = 0; i <= TrapPlaces::kMostPlaces; ++i) AddTrap(i);
  AddTrap(0);
  TrapPlaces(modules_, request_).AddTo(&results_);
  EXPECT_EQ(results_.results(99).trap().function_name(), "main");
  EXPECT_EQ(results_.results(100).trap().function_name(), "");
  EXPECT_EQ(results_.results(101).trap().function_name(), "main");
}

TEST_F(TrapPlacesTest, AMessageDoesNotGrowWithoutEnd) {
  request_->module = Store(std::string(1000, 'x'));
  for (uint32_t i = 0; i < 2000; ++i) AddTrap(0);
  TrapPlaces(modules_, request_).AddTo(&results_);
  EXPECT_LT(results_.ByteSizeLong(), TrapPlaces::kMostBytes + 100'000);
  EXPECT_NE(results_.results(0).trap().function_name(), "");
  EXPECT_EQ(results_.results(1999).trap().function_name(), "");
}

}  // namespace
}  // namespace wb
