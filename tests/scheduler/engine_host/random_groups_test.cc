// Random programs whose instances meet and share memory: every engine, whole and in slices, comes
// to the same.

#include <gtest/gtest.h>

#include <cstdlib>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "tests/scheduler/engine_host/collectives_rig.h"

namespace wb::test {
namespace {

class RandomGuest {
 public:
  explicit RandomGuest(uint64_t seed) : state_(seed * 2 + 1) {}
  std::string Wat() {
    std::string body;
    for (int i = 0; i < 12; ++i) body += Statement();
    return "(module " + imports_ + R"(
      (func (export "run") (param $n i32) (result i64)
        (local $i i32) (local $lane i32) (local $i32 i32) (local $i64 i64) (local $f32 f32) (local $f64 f64)
        (local.set $lane (i32.rem_u (local.get $n) (i32.const 32)))
        (local.set $i32 (i32.mul (local.get $n) (i32.const -1640531527)))
        (local.set $i64 (i64.extend_i32_s (local.get $i32)))
        (local.set $f32 (f32.convert_i32_s (local.get $i32)))
        (local.set $f64 (f64.convert_i32_u (local.get $i32)))
        (block $end )" +
           body + R"()
        (i64.xor (i64.xor (i64.extend_i32_u (local.get $i32)) (local.get $i64))
                 (i64.xor (i64.extend_i32_u (i32.reinterpret_f32 (local.get $f32)))
                          (i64.reinterpret_f64 (local.get $f64))))))
    )";
  }

 private:
  uint32_t Pick(uint32_t below) {
    state_ = state_ * 6364136223846793005u + 1442695040888963407u;
    return static_cast<uint32_t>(state_ >> 33) % below;
  }
  std::string Number(uint32_t below) { return std::to_string(Pick(below)); }

  std::string Collect() {
    static const std::vector<Collective> all = AllCollectives();
    const Collective& one = all[Pick(static_cast<uint32_t>(all.size()))];
    const std::string name = "$c" + std::to_string(count_++);
    imports_ += "(import \"gpu_std\" \"" + one.name + "\" (func " + name + " (param " + one.type +
                (one.shuffles ? " i32" : "") + ") (result " + one.type + ")))";
    return "(local.set $" + one.type + " (call " + name + " (local.get $" + one.type + ")" +
           (one.shuffles ? " (i32.add (local.get $n) (i32.const " + Number(40) + "))" : "") + "))";
  }

  // The import of this name, under a new one.
  std::string Import(const std::string& name, const std::string& type) {
    const std::string own = "$g" + std::to_string(count_++);
    imports_ += "(import \"gpu_std\" \"" + name + "\" (func " + own + " " + type + "))";
    return own;
  }
  // What each instance stores at its place is read by another one, behind a meeting.
  std::string PassOn() {
    static const char* const kTypes[] = {"i32", "i64", "f32", "f64"};
    const std::string type = kTypes[Pick(4)];
    const std::string store = Import("group_store_" + type, "(param i32 " + type + ")");
    const std::string load = Import("group_load_" + type, "(param i32) (result " + type + ")");
    const std::string barrier = Import("barrier", "");
    return "(call " + store + " (i32.mul (local.get $lane) (i32.const 8)) (local.get $" + type +
           ")) (call " + barrier + ") (local.set $" + type + " (call " + load +
           " (i32.mul (i32.rem_u (i32.add (local.get $lane) (i32.const " + Number(64) +
           ")) (i32.const 32)) (i32.const 8)))) (call " + barrier + ")";
  }
  // Several instances change one word, in any order; what it then is, all may read.
  std::string Change() {
    static const char* const kOperations[] = {"add",   "and",   "or",    "xor",
                                              "min_s", "max_s", "min_u", "max_u"};
    const std::string change = Import("group_atomic_" + std::string(kOperations[Pick(8)]) + "_i32",
                                      "(param i32 i32) (result i32)");
    const std::string load = Import("group_load_i32", "(param i32) (result i32)");
    const std::string barrier = Import("barrier", "");
    const std::string words = std::to_string(1 + Pick(5));
    const auto place = [&](const std::string& number) {
      return "(i32.add (i32.const 4096) (i32.mul (i32.const 4) (i32.rem_u " + number +
             " (i32.const " + words + "))))";
    };
    return "(drop (call " + change + " " + place("(local.get $n)") + " (local.get $i32))) (call " +
           barrier + ") (local.set $i32 (i32.add (local.get $i32) (call " + load + " " +
           place("(i32.add (local.get $n) (i32.const 1))") + "))) (call " + barrier + ")";
  }

  // Loops differ in length from instance to instance; the number of meetings in them does not.
  std::string Statement() {
    switch (Pick(9)) {
      case 0:
        return "(local.set $i (i32.rem_u (i32.add (local.get $n) (i32.const " + Number(99) +
               ")) (i32.const 29))) (loop $l (local.set $i32 (i32.rotl (i32.add (local.get $i32) "
               "(local.get $i)) (i32.const 7))) (br_if $l (i32.gt_s (local.tee $i (i32.sub "
               "(local.get $i) (i32.const 1))) (i32.const 0))))";
      case 1:
        return "(local.set $i (i32.const " + Number(5) + ")) (loop $l " + Collect() +
               "(br_if $l (i32.gt_s (local.tee $i (i32.sub (local.get $i) (i32.const 1))) "
               "(i32.const 0))))";
      case 2:  // it returns
        return "(br_if $end (i32.eq (i32.rem_u (local.get $n) (i32.const " +
               std::to_string(17 + Pick(90)) + ")) (i32.const " + Number(17) + ")))";
      case 3:  // it traps, seldom
        return "(if (i32.eq (i32.rem_u (i32.shr_u (local.get $i32) (i32.const 3)) (i32.const 61)) "
               "(i32.const " +
               Number(61) + ")) (then (unreachable)))";
      case 4: return PassOn();
      case 5: return Change();
      default: return Collect();
    }
  }

  uint64_t state_;
  uint32_t count_ = 0;
  std::string imports_;
};

// WB_GROUP_PROGRAMS programs from the seed WB_GROUP_SEED on (deploy/fuzz.sh --groups).
TEST_F(CollectivesTest, RandomProgramsComeToTheSameEverywhere) {
  const uint64_t begin = NumberOf("WB_GROUP_SEED", 1);
  const uint64_t end = begin + NumberOf("WB_GROUP_PROGRAMS", 12);
  std::vector<std::unique_ptr<Scheduler>> schedulers;
  for (const uint64_t slice : {uint64_t{1} << 62, uint64_t{23}}) {
    schedulers.push_back(CreateScheduler(Settings(slice)).value());
  }
  JobId id = 1;
  for (uint64_t seed = begin; seed < end; ++seed) {
    const auto module = ModuleOf(RandomGuest(seed).Wat());
    std::map<uint64_t, std::string> first;
    for (const auto& scheduler : schedulers) {
      for (const Placement placement : GroupPlacements()) {
        JobSpec spec = NumberJob(module, 70);
        spec.placement = placement;
        for (const InstanceResult& result : Run(*scheduler, std::move(spec), id++)) {
          std::string meaning = std::string(EndName(result.end)) + std::to_string(result.fuel);
          for (const StepResult& step : result.steps) {
            for (const Value& value : step.values) meaning += " " + std::to_string(value.bits());
          }
          EXPECT_EQ(first.try_emplace(result.instance, meaning).first->second, meaning)
              << "seed " << seed << ", instance " << result.instance;
        }
      }
    }
  }
}

}  // namespace
}  // namespace wb::test
