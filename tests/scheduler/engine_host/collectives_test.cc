// Collectives of gpu_std on the engines of this machine: each against its definition written out
// anew, in groups that are short, diverge, and lose instances on the way.

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tests/scheduler/engine_host/collectives_rig.h"

namespace wb::test {
namespace {

constexpr uint64_t kFew = 1000;

// What instance `n` gives at call `k`, in bits of its type; and which lane it asks for.
uint64_t Given(const std::string& type, uint64_t n, uint64_t k) {
  const uint64_t mixed = ((n << 16) + k + 1) * 0x9e3779b97f4a7c15u;
  const uint64_t bits = mixed ^ (mixed >> 29);
  const auto low = static_cast<uint32_t>(bits);
  if (type == "i32") return low;
  if (type == "i64" || (bits & 15) == 3) return type == "f32" ? low : bits;
  const auto number = static_cast<int32_t>(low);
  if (type == "f32") return std::bit_cast<uint32_t>(static_cast<float>(number));
  return std::bit_cast<uint64_t>(static_cast<double>(number) / 3.0);
}
uint32_t LaneAsked(uint64_t n, uint64_t k) { return static_cast<uint32_t>((n * 7 + k) % 45); }

std::string GuestWat(const std::vector<Collective>& all) {
  std::string imports, calls;
  for (size_t k = 0; k < all.size(); ++k) {
    const Collective& one = all[k];
    const std::string number = std::to_string(k);
    imports += "(import \"gpu_std\" \"" + one.name + "\" (func $f" + number + " (param " +
               one.type + (one.shuffles ? " i32" : "") + ") (result " + one.type + ")))\n";
    calls += "(call $before (local.get $n) (i32.const " + number +
             "))\n"
             "(br_if 0 (call $ends (local.get $n) (i32.const " +
             number +
             ")))\n"
             "(" +
             one.type + ".store (i32.const " + std::to_string(k * 8) + ") (call $f" + number +
             " (call $given_" + one.type + " (local.get $n) (i32.const " + number + "))" +
             (one.shuffles ? " (i32.rem_u (i32.add (i32.mul (local.get $n) (i32.const 7)) "
                             "(i32.const " +
                                 number + ")) (i32.const 45))"
                           : "") +
             "))\n";
  }
  return "(module\n" + imports + R"(
    (memory 1)
    (func $bits (param $n i32) (param $k i32) (result i64)
      (local $m i64)
      (local.set $m (i64.mul
        (i64.add (i64.shl (i64.extend_i32_u (local.get $n)) (i64.const 16))
                 (i64.add (i64.extend_i32_u (local.get $k)) (i64.const 1)))
        (i64.const 0x9e3779b97f4a7c15)))
      (i64.xor (local.get $m) (i64.shr_u (local.get $m) (i64.const 29))))
    (func $raw (param $bits i64) (result i32)
      (i64.eq (i64.and (local.get $bits) (i64.const 15)) (i64.const 3)))
    (func $given_i32 (param $n i32) (param $k i32) (result i32)
      (i32.wrap_i64 (call $bits (local.get $n) (local.get $k))))
    (func $given_i64 (param $n i32) (param $k i32) (result i64)
      (call $bits (local.get $n) (local.get $k)))
    (func $given_f32 (param $n i32) (param $k i32) (result f32)
      (local $b i64)
      (local.set $b (call $bits (local.get $n) (local.get $k)))
      (if (result f32) (call $raw (local.get $b))
        (then (f32.reinterpret_i32 (i32.wrap_i64 (local.get $b))))
        (else (f32.convert_i32_s (i32.wrap_i64 (local.get $b))))))
    (func $given_f64 (param $n i32) (param $k i32) (result f64)
      (local $b i64)
      (local.set $b (call $bits (local.get $n) (local.get $k)))
      (if (result f64) (call $raw (local.get $b))
        (then (f64.reinterpret_i64 (local.get $b)))
        (else (f64.div (f64.convert_i32_s (i32.wrap_i64 (local.get $b))) (f64.const 3)))))
    ;; Instances take different ways to the same call.
    (func $before (param $n i32) (param $k i32)
      (local $i i32)
      (local.set $i (i32.rem_u (i32.add (i32.mul (local.get $n) (i32.const 31))
                                        (i32.mul (local.get $k) (i32.const 17))) (i32.const 50)))
      (loop $l
        (local.set $i (i32.sub (local.get $i) (i32.const 1)))
        (br_if $l (i32.gt_s (local.get $i) (i32.const 0)))))
    (func $ends (param $n i32) (param $k i32) (result i32)
      (if (i32.and (i32.eq (i32.rem_u (local.get $n) (i32.const 13)) (i32.const 5))
                   (i32.eq (i32.rem_u (local.get $n) (i32.const 47)) (local.get $k)))
        (then (unreachable)))
      (i32.and (i32.eq (i32.rem_u (local.get $n) (i32.const 11)) (i32.const 3))
               (i32.eq (i32.rem_u (local.get $n) (i32.const 53)) (local.get $k))))
    (func (export "run") (param $n i32) (result i32)
      (block )" +
         calls + R"()
      (local.get $n)))
  )";
}

// Before which call the instance traps or returns; the number of calls: before none.
size_t TrapAt(uint64_t n, size_t calls) { return n % 13 == 5 ? n % 47 : calls; }
size_t LastCall(uint64_t n, size_t calls) {
  return std::min<size_t>(TrapAt(n, calls), n % 11 == 3 ? n % 53 : calls);
}

// ---- the definition, written out for one pair of values.

template <typename Float, typename Bits>
uint64_t FoldFloats(const std::string& name, uint64_t a, uint64_t b, uint64_t nan) {
  const Float x = std::bit_cast<Float>(static_cast<Bits>(a));
  const Float y = std::bit_cast<Float>(static_cast<Bits>(b));
  if (std::isnan(x) || std::isnan(y)) return nan;
  Float folded = x + y;
  if (name.find("min") != std::string::npos)
    folded = x == y ? (std::signbit(x) ? x : y) : std::min(x, y);
  if (name.find("max") != std::string::npos)
    folded = x == y ? (std::signbit(x) ? y : x) : std::max(x, y);
  return std::isnan(folded) ? nan : std::bit_cast<Bits>(folded);
}

template <typename Signed, typename Unsigned>
uint64_t FoldIntegers(const std::string& name, uint64_t a64, uint64_t b64) {
  const auto a = static_cast<Unsigned>(a64), b = static_cast<Unsigned>(b64);
  const auto has = [&name](const char* part) { return name.find(part) != std::string::npos; };
  if (has("min_s")) return static_cast<Unsigned>(std::min<Signed>(a, b));
  if (has("max_s")) return static_cast<Unsigned>(std::max<Signed>(a, b));
  if (has("min_u")) return std::min(a, b);
  if (has("max_u")) return std::max(a, b);
  if (has("xor")) return a ^ b;
  if (has("or") || has("any") || has("ballot")) return a | b;
  if (has("and") || has("all")) return a & b;
  return static_cast<Unsigned>(a + b);
}

uint64_t Fold(const Collective& one, uint64_t a, uint64_t b) {
  if (one.type == "f32") return FoldFloats<float, uint32_t>(one.name, a, b, 0x7fc00000);
  if (one.type == "f64") return FoldFloats<double, uint64_t>(one.name, a, b, 0x7ff8000000000000);
  if (one.type == "i64") return FoldIntegers<int64_t, uint64_t>(one.name, a, b);
  return FoldIntegers<int32_t, uint32_t>(one.name, a, b);
}

// What lane `i` is told, by the values of those lanes that take part.
uint64_t Told(const Collective& one, const std::map<uint32_t, uint64_t>& given, uint32_t i,
              uint32_t asked) {
  const bool quad = one.name.starts_with("quad_");
  const uint32_t size = quad ? 4 : 32;
  if (one.shuffles) {
    const uint32_t wanted = one.name.find("xor") != std::string::npos ? asked ^ i : asked;
    const auto found = given.find(i / size * size + wanted % size);
    return found == given.end() ? 0 : found->second;
  }
  const bool votes = one.name.ends_with("any") || one.name.ends_with("all");
  uint64_t told = 0;
  bool first = true;
  for (auto [lane, value] : given) {
    if (quad && lane / 4 != i / 4) continue;
    if (one.name.starts_with("inclusive") && lane > i) continue;
    if (one.name.starts_with("exclusive") && lane >= i) continue;
    if (votes) value = value != 0 ? 1 : 0;
    if (one.name.ends_with("ballot")) value = value != 0 ? 1u << lane % size : 0;
    told = first ? value : Fold(one, told, value);
    first = false;
  }
  return told;
}

JobSpec AllJob(const std::vector<Collective>& all, uint64_t instances) {
  static const auto module = ModuleOf(GuestWat(AllCollectives()));
  JobSpec spec = NumberJob(module, instances);
  const auto constant = [](uint32_t value) {
    return Operand{Operand::Source::kConstant, Value::I32(value), 0, 0, 0};
  };
  spec.steps.push_back(
      ReadStep{constant(0), constant(static_cast<uint32_t>(all.size() * 8)), "told"});
  return spec;
}

// What the lanes of an instance's group give to each collective.
using GroupGiven = std::vector<std::map<uint32_t, uint64_t>>;
GroupGiven GivenInGroup(const std::vector<Collective>& all, uint64_t group, uint64_t instances) {
  GroupGiven given(all.size());
  for (size_t k = 0; k < all.size(); ++k) {
    for (uint64_t m = group * 32; m < std::min(group * 32 + 32, instances); ++m) {
      if (LastCall(m, all.size()) > k)
        given[k][static_cast<uint32_t>(m % 32)] = Given(all[k].type, m, k);
    }
  }
  return given;
}

// One instance's answers, by the definition.
void ExpectTold(const std::vector<Collective>& all, const InstanceResult& result,
                const GroupGiven& given) {
  const uint64_t n = result.instance;
  const size_t last = LastCall(n, all.size());
  if (TrapAt(n, all.size()) == last && last < all.size()) {
    EXPECT_EQ(result.trap, Trap::kUnreachable) << n;
    return;
  }
  ASSERT_EQ(result.end, End::kReturned) << n;
  ASSERT_EQ(result.outputs.size(), 1u);
  for (size_t k = 0; k < all.size(); ++k) {
    uint64_t told = 0;
    std::memcpy(&told, result.outputs[0].bytes.data() + k * 8, 8);
    const uint64_t expected =
        k < last ? Told(all[k], given[k], static_cast<uint32_t>(n % 32), LaneAsked(n, k)) : 0;
    ASSERT_EQ(told, expected) << all[k].name << " of instance " << n;
  }
}

// What an instance ended with, to be the same on all ways: its fuel, and all that it was told.
struct Answers {
  uint64_t fuel = 0;
  uint64_t told = 0;  // hash
  bool operator==(const Answers&) const = default;
};

Answers AnswersOf(const InstanceResult& result) {
  Answers seen{result.fuel, static_cast<uint64_t>(result.end)};
  for (const auto& output : result.outputs) {
    const char* bytes = reinterpret_cast<const char*>(output.bytes.data());
    seen.told ^= std::hash<std::string_view>()({bytes, output.bytes.size()});
  }
  return seen;
}

// Of many instances the definition makes some answers: of each group whose number is a multiple of
// 61. The others are compared with those of the first way.
void ExpectAll(const std::vector<Collective>& all, const std::vector<InstanceResult>& results,
               uint64_t instances, std::vector<Answers>* first) {
  ASSERT_EQ(results.size(), instances);
  const bool is_first = first->empty();
  first->resize(instances);
  uint64_t group = ~uint64_t{0};
  GroupGiven given;
  for (const InstanceResult& result : results) {
    const Answers seen = AnswersOf(result);
    Answers& expected = (*first)[result.instance];
    if (is_first) expected = seen;
    ASSERT_EQ(seen, expected) << result.instance;
    if (instances > kFew && result.instance / 32 % 61 != 0) continue;
    if (const uint64_t its_group = result.instance / 32; its_group != group) {
      group = its_group;
      given = GivenInGroup(all, group, instances);
    }
    ASSERT_NO_FATAL_FAILURE(ExpectTold(all, result, given));
  }
}

TEST_F(CollectivesTest, EachIsAsItsDefinitionSaysWholeAndInSlices) {
  const std::vector<Collective> all = AllCollectives();
  std::map<uint64_t, std::vector<Answers>> seen;  // by the number of instances
  JobId id = 1;
  for (const uint64_t slice : {uint64_t{1} << 62, NumberOf("WB_GROUP_SLICE", 70)}) {
    auto scheduler = CreateScheduler(Settings(slice)).value();
    for (const uint64_t instances : GroupInstances()) {
      for (const Placement placement : GroupPlacements()) {
        // The interpreter takes minutes for many in slices.
        if (instances > kFew && placement == Placement::kInterpreter && slice <= kFew) continue;
        SCOPED_TRACE(std::string(PlacementName(placement)) + " " + std::to_string(instances));
        JobSpec spec = AllJob(all, instances);
        spec.placement = placement;
        const auto results = Run(*scheduler, std::move(spec), id++);
        ASSERT_NO_FATAL_FAILURE(ExpectAll(all, results, instances, &seen[instances]));
      }
    }
  }
}

}  // namespace
}  // namespace wb::test
