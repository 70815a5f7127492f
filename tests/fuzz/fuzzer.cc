#include "tests/fuzz/fuzzer.h"

#include <algorithm>
#include <utility>

#include "tests/fuzz/compare.h"
#include "tests/fuzz/crash_note.h"

namespace wb::fuzz {
namespace {

constexpr const char* kInterpreterName = "interpreter";
constexpr const char* kOracleName = "wabt";
constexpr int kMostPlans = 4;  // after an end by fuel, exports behind it run in another plan

void CountLanes(const Plan& plan, const Records& records, Counts* counts) {
  for (uint32_t lane = 0; lane < kLanes; ++lane) {
    const auto record = records.lane(lane);
    const auto end = static_cast<End>(record[abi::RECORD_END]);
    counts->out_of_fuel += end == End::kOutOfFuel ? 1 : 0;
    const size_t reached = std::min<size_t>(record[abi::RECORD_STEP] - 1, plan.first_look);
    for (size_t call = plan.first_export; call < reached; ++call) {
      const uint32_t trap_at = plan.program.steps[call].trap_at;
      const bool trapped = record[abi::RECORD_REGISTERS + trap_at] != 0;
      ++(trapped ? counts->trapped : counts->returned);
    }
  }
}

// What is refused by name, or by wabt as well.
bool IsNoFinding(const Status& why, const Subject& subject) {
  const Reason reason = why.reason();
  if (reason == Reason::kWasmUnsupportedFeature) return true;
  const bool refused = reason == Reason::kWasmInvalid || reason == Reason::kWasmMalformed;
  return refused && !OracleReads(subject.wasm);
}

}  // namespace

void Counts::Add(const Counts& more) {
  modules += more.modules;
  skipped += more.skipped;
  returned += more.returned;
  trapped += more.trapped;
  out_of_fuel += more.out_of_fuel;
  oracle += more.oracle;
}

uint32_t WaysOf(const FuzzerSetup& setup) {
  return 2 * static_cast<uint32_t>(setup.engines.size() + 1) + (setup.oracle ? 1 : 0);
}

Result<Fuzzer> Fuzzer::Open(const FuzzerSetup& setup) {
  Fuzzer fuzzer;
  fuzzer.setup_ = setup;
  WB_ASSIGN(auto interpreter, EngineUnderTest::Open(*SetupNamed(kInterpreterName)));
  fuzzer.engines_.push_back(std::move(interpreter));
  for (const EngineSetup& engine : setup.engines) {
    WB_ASSIGN(auto opened, EngineUnderTest::Open(engine));
    fuzzer.engines_.push_back(std::move(opened));
  }
  return fuzzer;
}

EngineUnderTest* Fuzzer::Named(const std::string& name) {
  for (EngineUnderTest& engine : engines_) {
    if (engine.setup().name == name) return &engine;
  }
  return nullptr;
}

Effort Fuzzer::EffortOf(size_t engine, const Variant& variant) const {
  const bool full = setup_.full_in != 0 && (variant.turn + engine) % setup_.full_in == 0;
  return full ? Effort::kFull : Effort::kQuick;
}

// The engine that does not take the batch, and why.
std::optional<std::pair<std::string, Status>> Fuzzer::Build(const Batch& batch,
                                                            const FuzzerSetup& setup) {
  for (size_t i = 0; i < engines_.size(); ++i) {
    const std::string& name = engines_[i].setup().name;
    const bool wanted = std::any_of(setup.engines.begin(), setup.engines.end(),
                                    [&](const EngineSetup& one) { return one.name == name; });
    if (!wanted && name != kInterpreterName) continue;
    NoteForCrash(name);
    const Status status = engines_[i].Build(batch, EffortOf(i, batch.variant));
    if (!status.ok()) return std::pair(name, status);
  }
  return std::nullopt;
}

std::string Fuzzer::CheckEngine(EngineUnderTest& engine, const Subject& subject, const Ran& ran,
                                bool only_leaving) {
  if (!only_leaving) {
    if (Status status = engine.Seat(ran.plan, subject); !status.ok()) return status.ToString();
  }
  for (const bool leave : {false, true}) {
    if (only_leaving && !leave) continue;
    NoteForCrash(engine.setup().name + (leave ? ", leaving, " : ", ") + subject.name);
    const auto records = engine.Run(leave);
    if (!records.ok()) return records.status().ToString();
    const std::string difference = DifferenceBetween(ran.plan, ran.records, *records);
    if (difference.empty()) continue;
    const char* build = engine.effort() == Effort::kQuick ? ", built quickly" : "";
    return (leave ? "leaving: " : "") + difference + build;
  }
  return "";
}

std::string Fuzzer::CheckPlan(const Batch& batch, size_t subject, const FuzzerSetup& setup,
                              const Ran& ran, std::string* engine) {
  const Subject& of = batch.subjects[subject];
  *engine = kInterpreterName;
  std::string what = CheckEngine(engines_[0], of, ran, true);
  for (const EngineSetup& one : setup.engines) {
    if (!what.empty()) return what;
    *engine = one.name;
    what = CheckEngine(*Named(one.name), of, ran, false);
  }
  if (!what.empty() || !setup.oracle || !of.canonical_nans) return what;
  *engine = kOracleName;
  NoteForCrash("wabt, " + of.name);
  return DifferenceToOracle(batch, subject, ran.plan, ran.records);
}

// What the others are compared with: the interpreter's lanes in one go, and still seated.
Result<Records> Fuzzer::Reference(const Plan& plan, const Subject& subject) {
  NoteForCrash("interpreter, " + subject.name);
  WB_TRY(engines_[0].Seat(plan, subject));
  return engines_[0].Run(false);
}

std::optional<Finding> Fuzzer::Check(const Batch& batch, size_t subject, const FuzzerSetup& setup,
                                     Counts* counts) {
  Finding finding{batch.subjects[subject], batch.variant, kInterpreterName, ""};
  size_t skip = 0;
  for (int round = 0; round < kMostPlans; ++round) {
    auto plan = MakePlan(batch, subject, skip);
    if (!plan.ok()) {
      finding.what = plan.status().ToString();
      return finding;
    }
    auto records = Reference(*plan, finding.subject);
    if (!records.ok()) {
      finding.what = records.status().ToString();
      return finding;
    }
    const Ran ran{std::move(plan).value(), std::move(records).value()};
    CountLanes(ran.plan, ran.records, counts);
    finding.what = CheckPlan(batch, subject, setup, ran, &finding.engine);
    if (!finding.what.empty()) return finding;
    const auto over = OutOfFuelIn(ran.records);
    if (!over || *over < ran.plan.first_export || *over >= ran.plan.first_look) break;
    skip = ran.plan.calls[*over].number + 1;
  }
  counts->oracle += setup.oracle && finding.subject.canonical_nans ? 1 : 0;
  return std::nullopt;
}

std::vector<Finding> Fuzzer::RunBuilt(const Batch& batch, const FuzzerSetup& setup,
                                      Counts* counts) {
  std::vector<Finding> findings;
  for (size_t i = 0; i < batch.subjects.size(); ++i) {
    if (auto finding = Check(batch, i, setup, counts)) findings.push_back(std::move(*finding));
    ++counts->modules;
  }
  return findings;
}

// What cannot be linked or built together is tried one by one.
std::vector<Finding> Fuzzer::RunAlone(std::vector<Subject> subjects, const Variant& variant,
                                      const Status& why, const std::string& engine,
                                      Counts* counts) {
  std::vector<Finding> findings;
  if (subjects.size() == 1) {
    if (IsNoFinding(why, subjects[0])) {
      ++counts->skipped;
    } else {
      ++counts->modules;
      findings.push_back({std::move(subjects[0]), variant, engine, why.ToString()});
    }
    return findings;
  }
  for (Subject& subject : subjects) {
    std::vector<Subject> one;
    one.push_back(std::move(subject));
    for (Finding& finding : Run(std::move(one), variant, counts)) {
      findings.push_back(std::move(finding));
    }
  }
  return findings;
}

std::vector<Finding> Fuzzer::Run(std::vector<Subject> subjects, const Variant& variant,
                                 Counts* counts) {
  NoteForCrash("linking");
  const auto batch = MakeBatch(subjects, variant);
  if (!batch.ok()) {
    return RunAlone(std::move(subjects), variant, batch.status(), kInterpreterName, counts);
  }
  if (const auto refused = Build(*batch, setup_)) {
    return RunAlone(std::move(subjects), variant, refused->second, refused->first, counts);
  }
  return RunBuilt(*batch, setup_, counts);
}

std::optional<Finding> Fuzzer::Again(const Finding& finding, Subject subject) {
  FuzzerSetup setup;
  setup.oracle = finding.engine == kOracleName;
  for (const EngineSetup& engine : setup_.engines) {
    if (engine.name == finding.engine) setup.engines.push_back(engine);
  }
  std::vector<Subject> subjects;
  subjects.push_back(subject);
  const auto batch = MakeBatch(std::move(subjects), finding.variant);
  if (!batch.ok()) return std::nullopt;
  if (const auto refused = Build(*batch, setup)) {
    if (refused->second.reason() == Reason::kWasmUnsupportedFeature) return std::nullopt;
    return Finding{std::move(subject), finding.variant, refused->first, refused->second.ToString()};
  }
  Counts ignored;
  std::vector<Finding> found = RunBuilt(*batch, setup, &ignored);
  if (found.empty() || found[0].engine != finding.engine) return std::nullopt;
  return std::move(found[0]);
}

}  // namespace wb::fuzz
