// Instances that compute in groups on the fake GPU whose lanes vote: each collective, where all
// lanes of a group come to it at once and where they do not, and the memory of a group, in one
// launch and in many, as on the interpreter.

#include <string>
#include <vector>

#include "tests/scheduler/devices/cuda_rig.h"

namespace wb::test {
namespace {

struct GroupFunction {
  std::string name, type;
  bool shuffles = false;
};

std::vector<GroupFunction> AnsweringCollectives() {
  std::vector<GroupFunction> all;
#define WB_GPU_STD(import, primitive, code, results, params) \
  if (Primitive::k##primitive == Primitive::kCollective) all.push_back({import, "i32"});
#include "compiler/abi/gpu_std.def"
#undef WB_GPU_STD
  std::erase_if(all, [](const GroupFunction& one) { return one.name == "barrier"; });
  for (GroupFunction& one : all) {
    for (const char* type : {"i64", "f32", "f64"}) {
      if (one.name.ends_with(type)) one.type = type;
    }
    one.shuffles = one.name.find("shuffle") != std::string::npos ||
                   one.name.find("broadcast") != std::string::npos;
  }
  return all;
}

// `value` of this type as an i64.
std::string Bits(const std::string& type, const std::string& value) {
  if (type == "i64") return value;
  if (type == "i32") return "(i64.extend_i32_u " + value + ")";
  if (type == "f32") return "(i64.extend_i32_u (i32.reinterpret_f32 " + value + "))";
  return "(i64.reinterpret_f64 " + value + ")";
}

// Before call k instances whose number says so make a detour, and instance 45 traps before one.
std::string AllCollectivesWat() {
  std::string imports, calls;
  size_t k = 0;
  for (const GroupFunction& one : AnsweringCollectives()) {
    const std::string number = std::to_string(k++);
    imports += "(import \"gpu_std\" \"" + one.name + "\" (func $f" + number + " (param " +
               one.type + (one.shuffles ? " i32" : "") + ") (result " + one.type + ")))\n";
    std::string value = "(i64.mul (local.get $x) (i64.const 0x9e3779b97f4a7c15))";
    if (one.type == "i32") value = "(i32.wrap_i64 (i64.shr_u " + value + " (i64.const 30)))";
    if (one.type[0] == 'f') value = "(" + one.type + ".convert_i64_s " + value + ")";
    calls +=
        "(call $before (local.get $n) (i32.const " + number + ")) (local.set $x (i64.add " +
        "(i64.rotl (local.get $x) (i64.const 9)) " +
        Bits(one.type, "(call $f" + number + " " + value +
                           (one.shuffles ? " (i32.mul (local.get $n) (i32.const 5))" : "") + ")") +
        "))\n";
  }
  return "(module " + imports + R"(
    (func $before (param $n i32) (param $k i32)
      (if (i32.and (i32.eq (local.get $n) (i32.const 45)) (i32.eq (local.get $k) (i32.const 30)))
        (then (unreachable)))
      (if (i32.rem_u (local.get $k) (i32.const 3)) (then (return)))
      (local.set $n (i32.rem_u (i32.mul (local.get $n) (local.get $k)) (i32.const 7)))
      (loop $l (br_if $l (i32.gt_s (local.tee $n (i32.sub (local.get $n) (i32.const 1)))
                                   (i32.const 0)))))
    (func (export "run") (param $n i32) (result i64) (local $x i64)
      (local.set $x (i64.extend_i32_u (i32.add (local.get $n) (i32.const 77))))
      )" +
         calls + "(local.get $x)))";
}

// Each stores at its own place, reads its neighbour's, and counts into a word of all.
constexpr std::string_view kShares = R"((module
  (import "gpu_std" "lane_id" (func $lane (result i32)))
  (import "gpu_std" "barrier" (func $barrier))
  (import "gpu_std" "group_load_i32" (func $load (param i32) (result i32)))
  (import "gpu_std" "group_store_i32" (func $store (param i32 i32)))
  (import "gpu_std" "group_atomic_add_i32" (func $add (param i32 i32) (result i32)))
  (import "gpu_std" "group_atomic_max_s_i32" (func $max (param i32 i32) (result i32)))
  (func (export "run") (param $n i32) (result i32) (local $i i32) (local $lane i32) (local $x i32)
    (local.set $lane (i32.shl (call $lane) (i32.const 2)))
    (loop $l
      (call $store (local.get $lane) (i32.mul (local.get $n) (i32.add (local.get $i) (local.get $x))))
      (drop (call $add (i32.const 4096) (local.get $n)))
      (drop (call $max (i32.const 8188) (i32.xor (local.get $x) (local.get $n))))
      (call $barrier)
      (local.set $x (i32.add (i32.add (call $load (i32.const 4096)) (call $load (i32.const 8188)))
        (call $load (i32.and (i32.add (local.get $lane) (i32.const 28)) (i32.const 124)))))
      (call $barrier)
      (br_if $l (i32.lt_u (local.tee $i (i32.add (local.get $i) (i32.const 1))) (i32.const 9))))
    (local.get $x))))";

class CudaGroupsTest : public CudaDeviceTest {
 protected:
  CudaGroupsTest() { gpu_.lanes_vote = true; }

  void ExpectAsOnInterpreter(const Work& work) {
    const std::vector<uint32_t> expected = Records(Interpreter(), work);
    for (const Slicing& slicing : {Slicing{}, Slicing{.slice = 300}}) {
      SCOPED_TRACE(std::to_string(slicing.slice) + " " + std::to_string(slicing.quantum));
      const std::unique_ptr<Dispatch> dispatch = SeatOf(work);
      RunToEnd(*device_, *dispatch, slicing);
      const size_t words = expected.size() / work.lanes;
      EXPECT_EQ(OfInstances(dispatch->records(), words), OfInstances(expected, words));
    }
  }
};

TEST_P(CudaGroupsTest, CollectivesAreAsOnTheInterpreter) {
  ExpectAsOnInterpreter(WorkOf(AllCollectivesWat(), "run", 47));
}

TEST_P(CudaGroupsTest, GroupsShareMemoryAsOnTheInterpreter) {
  ExpectAsOnInterpreter(WorkOf(kShares, "run", 47));
}

INSTANTIATE_TEST_SUITE_P(Ways, CudaGroupsTest, testing::Bool(), [](const auto& way) {
  return way.param ? std::string("Resident") : std::string("Launched");
});

}  // namespace
}  // namespace wb::test
