// The memory that the instances of a group share, on the engines of this machine, against a model
// of it: in groups that are short, diverge, and lose instances on the way.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "tests/scheduler/engine_host/collectives_rig.h"

namespace wb::test {
namespace {

// Between two barriers the instances store or change, between the next two they load. No place is
// stored to by two instances between the same two.
struct Phase {
  std::string name;  // of the import: "group_store_f64"
  std::string type;
  bool by_all = true;     // else by the third lane alone
  bool as_found = false;  // of a compare-exchange: what it expects is there
};

std::vector<Phase> AllPhases() {
  std::vector<Phase> phases;
#define WB_GPU_STD(import, primitive, code, results, params) \
  if (Primitive::k##primitive == Primitive::kGroupMemory) phases.push_back({import, "i32"});
#include "compiler/abi/gpu_std.def"
#undef WB_GPU_STD
  std::erase_if(phases, [](const Phase& phase) { return phase.name.starts_with("group_load"); });
  for (Phase& phase : phases) {
    for (const char* type : {"i64", "f32", "f64"}) {
      if (phase.name.ends_with(type)) phase.type = type;
    }
    phase.by_all = phase.name.find("exchange") == std::string::npos;
  }
  Phase found = phases.back();
  found.as_found = true;
  phases.push_back(found);  // group_atomic_compare_exchange_i32, twice
  return phases;
}

uint64_t ValueOf(const Phase& phase, uint64_t n, uint64_t k) {
  const uint64_t mixed = ((n << 16) + k + 1) * 0x9e3779b97f4a7c15u;
  const uint64_t bits = mixed ^ (mixed >> 29);
  return phase.type.ends_with("64") ? bits : static_cast<uint32_t>(bits);
}
bool IsStore(const Phase& phase) { return phase.name.starts_with("group_store"); }
uint32_t BytesOf(const Phase& phase) { return phase.type.ends_with("64") ? 8 : 4; }
// Where lane `i` stores or changes, and where it loads then.
uint32_t ChangedAt(const Phase& phase, uint32_t i, uint32_t k) {
  return IsStore(phase) ? 7936 + i * BytesOf(phase) : 4096 + (i + k) % 8 * 4;
}
uint32_t LoadedAt(const Phase& phase, uint32_t i, uint32_t k) {
  return ChangedAt(phase, (i * 5 + k) % 32, k);
}
// Before which phase the instance traps or returns; beyond all: before none.
uint32_t LastPhase(uint64_t n) {
  if (n % 13 == 5) return static_cast<uint32_t>(n % 17);
  return n % 11 == 3 ? static_cast<uint32_t>(n % 16) : 1000;
}

std::string Constant(uint64_t value) { return "(i32.const " + std::to_string(value) + ")"; }

// The address that ChangedAt says, of the lane in the local `lane`.
std::string PlaceWat(const Phase& phase, const std::string& lane, uint32_t k) {
  if (IsStore(phase)) {
    return "(i32.add (i32.const 7936) (i32.mul " + lane + " " + Constant(BytesOf(phase)) + "))";
  }
  return "(i32.add (i32.const 4096) (i32.mul (i32.const 4) (i32.rem_u (i32.add " + lane + " " +
         Constant(k) + ") (i32.const 8))))";
}

std::string ValueWat(const Phase& phase, uint32_t k) {
  const std::string bits = "(call $bits (local.get $n) " + Constant(k) + ")";
  if (phase.type == "i64") return bits;
  if (phase.type == "f64") return "(f64.reinterpret_i64 " + bits + ")";
  const std::string low = "(i32.wrap_i64 " + bits + ")";
  return phase.type == "f32" ? "(f32.reinterpret_i32 " + low + ")" : low;
}

std::string ChangeWat(const Phase& phase, uint32_t k) {
  const std::string place = PlaceWat(phase, "(local.get $lane)", k);
  std::string call = "(call $p" + std::to_string(k) + " " + place;
  if (phase.name.find("compare") != std::string::npos) {
    call += phase.as_found ? " (call $load_i32 " + place + ")" : " (i32.const 77)";
  }
  call += " " + ValueWat(phase, k) + ")";
  if (IsStore(phase)) return call;
  if (phase.by_all) return "(drop " + call + ")";
  // What was there is seen, by one instance.
  return "(if (i32.eq (local.get $lane) (i32.const 2)) (then (i32.store (i32.const " +
         std::to_string(2048 + k * 4) + ") " + call + ")))";
}

std::string GuestWat(const std::vector<Phase>& phases) {
  std::string imports, body;
  for (uint32_t k = 0; k < phases.size(); ++k) {
    const Phase& phase = phases[k];
    const bool compares = phase.name.find("compare") != std::string::npos;
    imports += "(import \"gpu_std\" \"" + phase.name + "\" (func $p" + std::to_string(k) +
               " (param i32 " + (compares ? "i32 " : "") + phase.type + ")" +
               (IsStore(phase) ? "" : " (result i32)") + "))\n";
    body += "(br_if 0 (call $ends (local.get $n) " + Constant(k) + "))\n" + ChangeWat(phase, k) +
            "\n(call $barrier)\n(" + phase.type + ".store " + Constant(k * 8) + " (call $load_" +
            phase.type + " " +
            PlaceWat(phase,
                     "(i32.rem_u (i32.add (i32.mul (local.get $lane) (i32.const 5)) " +
                         Constant(k) + ") (i32.const 32))",
                     k) +
            "))\n(call $barrier)\n";
  }
  for (const std::string type : {"i32", "i64", "f32", "f64"}) {
    imports += "(import \"gpu_std\" \"group_load_" + type + "\" (func $load_" + type +
               " (param i32) (result " + type + ")))\n";
  }
  return "(module\n" + imports + R"(
    (import "gpu_std" "barrier" (func $barrier))
    (memory 1)
    (func $bits (param $n i32) (param $k i32) (result i64)
      (local $m i64)
      (local.set $m (i64.mul
        (i64.add (i64.shl (i64.extend_i32_u (local.get $n)) (i64.const 16))
                 (i64.add (i64.extend_i32_u (local.get $k)) (i64.const 1)))
        (i64.const 0x9e3779b97f4a7c15)))
      (i64.xor (local.get $m) (i64.shr_u (local.get $m) (i64.const 29))))
    (func $ends (param $n i32) (param $k i32) (result i32)
      (if (i32.and (i32.eq (i32.rem_u (local.get $n) (i32.const 13)) (i32.const 5))
                   (i32.eq (i32.rem_u (local.get $n) (i32.const 17)) (local.get $k)))
        (then (unreachable)))
      (i32.and (i32.and (i32.eq (i32.rem_u (local.get $n) (i32.const 11)) (i32.const 3))
                        (i32.ne (i32.rem_u (local.get $n) (i32.const 13)) (i32.const 5)))
               (i32.eq (i32.rem_u (local.get $n) (i32.const 16)) (local.get $k))))
    ;; Places that nobody stores to before all have met, whoever had this memory before.
    (func $is_zero (param $lane i32) (result i32)
      (local $at i32) (local $bits i32)
      (local.set $at (i32.mul (local.get $lane) (i32.const 256)))
      (loop $l
        (local.set $bits (i32.or (local.get $bits) (call $load_i32 (local.get $at))))
        (local.set $at (i32.add (local.get $at) (i32.const 4)))
        (br_if $l (i32.rem_u (local.get $at) (i32.const 256))))
      (i32.eqz (local.get $bits)))
    (func (export "run") (param $n i32) (result i32)
      (local $lane i32)
      (local.set $lane (i32.rem_u (local.get $n) (i32.const 32)))
      (i32.store (i32.const 4000) (call $is_zero (local.get $lane)))
      (call $barrier)
      (block )" +
         body + R"()
      (i32.load (i32.const 4000))))
  )";
}

// A group's memory, and what each of its lanes comes to see.
class Model {
 public:
  Model(uint64_t first, uint64_t count) : first_(first), count_(count) {}

  void Run(const std::vector<Phase>& phases) {
    for (uint32_t k = 0; k < phases.size(); ++k) {
      for (uint32_t i = 0; i < count_; ++i) {
        if (TakesPart(i, k)) Change(phases[k], i, k);
      }
      for (uint32_t i = 0; i < count_; ++i) {
        if (TakesPart(i, k)) {
          seen[i][k] = At(LoadedAt(phases[k], i, k), BytesOf(phases[k]));
        }
      }
    }
  }

  std::map<uint32_t, std::map<uint32_t, uint64_t>> seen;   // by lane and phase
  std::map<uint32_t, std::map<uint32_t, uint32_t>> found;  // likewise, by exchanges

 private:
  bool TakesPart(uint32_t i, uint32_t k) const { return LastPhase(first_ + i) > k; }
  uint64_t At(uint32_t address, uint32_t bytes) const {
    uint64_t value = 0;
    std::memcpy(&value, memory_.data() + address, bytes);
    return value;
  }
  void Change(const Phase& phase, uint32_t i, uint32_t k) {
    if (!phase.by_all && i != 2) return;
    const uint32_t address = ChangedAt(phase, i, k);
    const uint64_t value = ValueOf(phase, first_ + i, k);
    const uint64_t before = At(address, BytesOf(phase));
    uint64_t after = IsStore(phase) ? value : Changed(phase, before, value);
    std::memcpy(memory_.data() + address, &after, BytesOf(phase));
    if (!phase.by_all) found[i][k] = static_cast<uint32_t>(before);
  }
  static uint64_t Changed(const Phase& phase, uint64_t before, uint64_t value) {
    const auto a = static_cast<uint32_t>(before), b = static_cast<uint32_t>(value);
    const auto has = [&](const char* part) { return phase.name.find(part) != std::string::npos; };
    if (has("compare")) return phase.as_found || a == 77 ? b : a;
    if (has("exchange")) return b;
    if (has("add")) return a + b;
    if (has("and")) return a & b;
    if (has("xor")) return a ^ b;
    if (has("or")) return a | b;
    if (has("min_s")) return static_cast<uint32_t>(std::min<int32_t>(a, b));
    if (has("max_s")) return static_cast<uint32_t>(std::max<int32_t>(a, b));
    return has("min_u") ? std::min(a, b) : std::max(a, b);
  }

  const uint64_t first_;
  const uint64_t count_;
  std::array<uint8_t, 8192> memory_{};
};

class GroupMemoryTest : public CollectivesTest {
 protected:
  static JobSpec PhasesJob(uint64_t instances) {
    static const auto module = ModuleOf(GuestWat(AllPhases()));
    JobSpec spec = NumberJob(module, instances);
    const auto constant = [](uint32_t value) {
      return Operand{Operand::Source::kConstant, Value::I32(value), 0, 0, 0};
    };
    spec.steps.push_back(ReadStep{constant(0), constant(4000), "seen"});
    return spec;
  }

  static void ExpectSeen(const std::vector<Phase>& phases, const Model& model,
                         const InstanceResult& result) {
    const uint64_t n = result.instance;
    const auto i = static_cast<uint32_t>(n % 32);
    if (n % 13 == 5 && LastPhase(n) < phases.size()) {
      EXPECT_EQ(result.trap, Trap::kUnreachable) << n;
      return;
    }
    ASSERT_EQ(result.end, End::kReturned) << n;
    EXPECT_EQ(result.steps[0].values[0].words[0], 1u) << "not zero at first, instance " << n;
    for (uint32_t k = 0; k < phases.size(); ++k) {
      uint64_t seen = 0;
      std::memcpy(&seen, result.outputs[0].bytes.data() + k * 8, 8);
      const auto lane = model.seen.find(i);
      const bool took_part = lane != model.seen.end() && lane->second.contains(k);
      ASSERT_EQ(seen, took_part ? lane->second.at(k) : 0) << phases[k].name << " of instance " << n;
      uint32_t found = 0;
      std::memcpy(&found, result.outputs[0].bytes.data() + 2048 + k * 4, 4);
      const auto finder = model.found.find(i);
      const bool looked = finder != model.found.end() && finder->second.contains(k);
      ASSERT_EQ(found, looked ? finder->second.at(k) : 0) << phases[k].name << " " << n;
    }
  }
};

TEST_F(GroupMemoryTest, EachAccessIsAsItsDefinitionSaysWholeAndInSlices) {
  const std::vector<Phase> phases = AllPhases();
  JobId id = 1;
  for (const uint64_t slice : {uint64_t{1} << 62, uint64_t{90}}) {
    auto scheduler = CreateScheduler(Settings(slice)).value();
    for (const uint64_t instances : GroupInstances()) {
      std::map<uint64_t, uint64_t> fuel;
      for (const Placement placement : GroupPlacements()) {
        SCOPED_TRACE(std::string(PlacementName(placement)) + " " + std::to_string(instances));
        JobSpec spec = PhasesJob(instances);
        spec.placement = placement;
        auto results = Run(*scheduler, std::move(spec), id++);
        ASSERT_EQ(results.size(), instances);
        std::map<uint64_t, Model> models;
        for (uint64_t first = 0; first < instances; first += 32) {
          models.try_emplace(first, first, std::min<uint64_t>(32, instances - first))
              .first->second.Run(phases);
        }
        for (const InstanceResult& result : results) {
          const Model& model = models.at(result.instance / 32 * 32);
          ASSERT_NO_FATAL_FAILURE(ExpectSeen(phases, model, result));
          EXPECT_EQ(fuel.try_emplace(result.instance, result.fuel).first->second, result.fuel);
        }
      }
    }
  }
}

// Each instance makes one access, at an address from the table.
TEST_F(GroupMemoryTest, AnAccessOutsideOrBetweenPlacesTraps) {
  const auto module = ModuleOf(R"((module
    (import "gpu_std" "group_load_i32" (func $load (param i32) (result i32)))
    (import "gpu_std" "group_store_f64" (func $store (param i32 f64)))
    (import "gpu_std" "group_atomic_add_i32" (func $add (param i32 i32) (result i32)))
    (table funcref (elem $a $b $c))
    (type $f (func (param i32)))
    (func $a (param i32) (drop (call $load (local.get 0))))
    (func $b (param i32) (call $store (local.get 0) (f64.const 1)))
    (func $c (param i32) (drop (call $add (local.get 0) (i32.const 1))))
    (func $address (param $n i32) (result i32)
      (block (block (block (block (block (block (block
        (br_table 0 1 2 3 4 5 6 (local.get $n)))
        (return (i32.const 8188)))
        (return (i32.const 8184)))
        (return (i32.const 8192)))
        (return (i32.const 8186)))
        (return (i32.const 4)))
        (return (i32.const 1)))
      (i32.const -8))
    (func (export "run") (param $n i32) (result i32)
      (call_indirect (type $f) (call $address (i32.div_u (local.get $n) (i32.const 3)))
        (i32.rem_u (local.get $n) (i32.const 3)))
      (i32.const 1))))");
  // By address, then load, store of 8 bytes, change: whether it is refused.
  constexpr bool kRefused[7][3] = {{false, true, false}, {false, false, false}, {true, true, true},
                                   {true, true, true},   {false, true, false},  {true, true, true},
                                   {true, true, true}};
  auto scheduler = CreateScheduler(Settings()).value();
  JobId id = 1;
  for (const Placement placement : GroupPlacements()) {
    JobSpec spec = NumberJob(module, 21);
    spec.placement = placement;
    const auto results = Run(*scheduler, std::move(spec), id++);
    ASSERT_EQ(results.size(), 21u);
    for (const InstanceResult& result : results) {
      const bool refused = kRefused[result.instance / 3][result.instance % 3];
      EXPECT_EQ(result.trap, refused ? Trap::kOutOfBoundsMemory : Trap::kNone)
          << result.instance << " " << PlacementName(placement);
    }
  }
}

}  // namespace
}  // namespace wb::test
