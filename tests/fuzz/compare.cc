#include "tests/fuzz/compare.h"

#include <algorithm>

#include "compiler/link/link.h"
#include "tests/oracle/linked_oracle.h"
#include "tests/spec/lane_run.h"

namespace wb::fuzz {
namespace {

constexpr uint32_t kOracleLaneStep = 2;  // every second lane

std::string NameOf(const Plan& plan, size_t call) {
  return "call " + std::to_string(call) + " [" + plan.calls[call].function + "]";
}

// What a record's word is.
std::string PlaceOf(const Plan& plan, size_t word) {
  if (word < abi::RECORD_REGISTERS) return "header word " + std::to_string(word);
  const size_t at = word - abi::RECORD_REGISTERS;
  for (size_t i = 0; i < plan.program.steps.size(); ++i) {
    const StepLayout& step = plan.program.steps[i];
    if (step.trap_at != abi::NONE && at >= step.trap_at && at < step.trap_at + 3) {
      static constexpr const char* kWords[] = {"trap", "trap's function", "trap's offset"};
      return std::string(kWords[at - step.trap_at]) + " of " + NameOf(plan, i);
    }
    size_t end = step.results_at;
    for (ValueType type : step.results) end += TypeWords(type);
    if (at >= step.results_at && at < end) {
      return "result word " + std::to_string(at - step.results_at) + " of " + NameOf(plan, i);
    }
  }
  return "word " + std::to_string(word);
}

// Registers come before the header: a call's result says more than the fuel at the end.
size_t FirstDifference(std::span<const uint32_t> a, std::span<const uint32_t> b) {
  for (size_t i = abi::RECORD_REGISTERS; i < a.size(); ++i) {
    if (a[i] != b[i]) return i;
  }
  return static_cast<size_t>(std::mismatch(a.begin(), a.end(), b.begin()).first - a.begin());
}

std::string Hex(uint64_t value) {
  char text[20];
  std::snprintf(text, sizeof text, "%#llx", static_cast<unsigned long long>(value));
  return text;
}

bool IsNan(ValueType type, uint64_t bits) {
  if (type == ValueType::kF32) return (bits & 0x7fffffff) > 0x7f800000;
  return type == ValueType::kF64 && (bits & 0x7fffffffffffffff) > 0x7ff0000000000000;
}

bool SameValue(const Value& ours, const oracle::Value& theirs) {
  if (IsReference(ours.type)) {
    return (ours.words[0] != Value::kNullReference) == (theirs.bits != 0);
  }
  if (IsNan(ours.type, ours.bits()) && IsNan(ours.type, theirs.bits)) return true;
  const uint64_t high = ours.words[2] | uint64_t{ours.words[3]} << 32;
  return ours.bits() == theirs.bits && (ours.type != ValueType::kV128 || high == theirs.high);
}

// One lane's instances in wabt.
class OracleLane {
 public:
  OracleLane(const Batch& batch, const Placed& place) {
    std::vector<oracle::Part> parts;
    for (uint32_t part : place.parts) {
      oracle::Part& out = parts.emplace_back();
      out.wasm = batch.parts[part].module->binary();
      for (const auto& [name, from] : batch.parts[part].imports_from) {
        out.imports_from[name] = numbers_.at(from);
      }
      numbers_.emplace(part, static_cast<uint32_t>(parts.size() - 1));
    }
    oracle_ = oracle::LinkedOracle::Open(parts, &error_);
  }
  const std::string& error() const { return error_; }

  oracle::Outcome Ask(const PlannedCall& call, const std::vector<oracle::Value>& args) {
    const uint32_t part = numbers_.at(call.part);
    if (call.function == kInstantiateExport) return oracle_->Instantiate(part);
    return oracle_->Call(part, call.function, args);
  }

 private:
  std::map<uint32_t, uint32_t> numbers_;
  std::unique_ptr<oracle::LinkedOracle> oracle_;
  std::string error_;
};

std::string DifferenceInCall(const spec::StepSeen& step, const oracle::Outcome& outcome) {
  const std::string trap(TrapWords(step.trap));
  if ((outcome.trapped ? outcome.trap : "") != trap) {
    return "trap [" + trap + "], wabt [" + outcome.trap + "]";
  }
  if (outcome.trapped) return "";
  for (size_t i = 0; i < step.results.size(); ++i) {
    if (SameValue(step.results[i], outcome.results[i])) continue;
    return "result " + std::to_string(i) + " " + Hex(step.results[i].bits()) + ", wabt " +
           Hex(outcome.results[i].bits);
  }
  return "";
}

// Says nothing about ours, which has another budget.
bool IsStackTrap(const oracle::Outcome& outcome) {
  return outcome.trap == TrapWords(Trap::kStackExhausted);
}

std::string DifferenceInLane(const Batch& batch, const Placed& place, const Plan& plan,
                             std::span<const uint32_t> record, uint32_t lane) {
  const spec::Observed seen = spec::DecodeRecord(record, plan.program);
  OracleLane oracle(batch, place);
  if (!oracle.error().empty()) return "wabt refuses the module: " + oracle.error();
  for (size_t call = 0; call < seen.steps.size() && seen.steps[call].reached; ++call) {
    // Without our stack's end it might never end there.
    if (seen.steps[call].trap == Trap::kStackExhausted) break;
    const oracle::Outcome outcome = oracle.Ask(plan.calls[call], plan.args[lane][call]);
    if (IsStackTrap(outcome)) break;
    const std::string difference = DifferenceInCall(seen.steps[call], outcome);
    if (!difference.empty()) {
      return "lane " + std::to_string(lane) + ", " + NameOf(plan, call) + ": " + difference;
    }
    if (outcome.trapped && call < plan.first_export) break;
  }
  return "";
}

}  // namespace

std::string DifferenceBetween(const Plan& plan, const Records& ours, const Records& theirs) {
  for (uint32_t lane = 0; lane < kLanes; ++lane) {
    const auto a = ours.lane(lane), b = theirs.lane(lane);
    const size_t word = FirstDifference(a, b);
    if (word == a.size()) continue;
    return "lane " + std::to_string(lane) + ", " + PlaceOf(plan, word) + ": " + Hex(a[word]) +
           " and " + Hex(b[word]) + "; ends " + std::to_string(a[abi::RECORD_END]) + " and " +
           std::to_string(b[abi::RECORD_END]) + ", fuel " + std::to_string(a[abi::RECORD_FUEL_LO]) +
           " and " + std::to_string(b[abi::RECORD_FUEL_LO]);
  }
  return "";
}

std::optional<size_t> OutOfFuelIn(const Records& records) {
  std::optional<size_t> first;
  for (uint32_t lane = 0; lane < kLanes; ++lane) {
    const auto record = records.lane(lane);
    if (record[abi::RECORD_END] != static_cast<uint32_t>(End::kOutOfFuel)) continue;
    const size_t call = std::max(1u, record[abi::RECORD_STEP]) - 1;
    first = std::min(first.value_or(call), call);
  }
  return first;
}

bool OracleReads(ByteView wasm) {
  std::string error;
  return oracle::LinkedOracle::Open({{Bytes(wasm.begin(), wasm.end()), {}}}, &error) != nullptr;
}

std::string DifferenceToOracle(const Batch& batch, size_t subject, const Plan& plan,
                               const Records& records) {
  for (uint32_t lane = 0; lane < kLanes; lane += kOracleLaneStep) {
    std::string difference =
        DifferenceInLane(batch, batch.places[subject], plan, records.lane(lane), lane);
    if (!difference.empty()) return difference;
  }
  return "";
}

}  // namespace wb::fuzz
