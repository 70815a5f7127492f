#pragma once

// Runs batches of subjects on engines and in the oracle, and tells where they differ. One thread;
// several fuzzers run side by side.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tests/fuzz/batch.h"
#include "tests/fuzz/engines.h"

namespace wb::fuzz {

struct FuzzerSetup {
  std::vector<EngineSetup> engines;  // besides the interpreter, which all are compared with
  bool oracle = true;                // wabt as well
  // An engine's compiler takes its full effort for one batch in so many, each engine in its turn,
  // and the quick one for the others. 1: always; 0: never.
  uint32_t full_in = 1;
};

// How many ways of running a module are compared: each engine in one go and leaving, and wabt.
uint32_t WaysOf(const FuzzerSetup& setup);

struct Finding {
  Subject subject;
  Variant variant;
  std::string engine;  // of the setup, "interpreter", or "wabt"
  std::string what;    // the difference, or the error
};

// Sums over subjects; lanes are counted once, by the interpreter's run.
struct Counts {
  uint64_t modules = 0;
  uint64_t skipped = 0;                                 // not valid, or need what is not there
  uint64_t returned = 0, trapped = 0, out_of_fuel = 0;  // lanes' calls; lanes
  uint64_t oracle = 0;                                  // modules compared with wabt
  void Add(const Counts& more);
};

class Fuzzer {
 public:
  static Result<Fuzzer> Open(const FuzzerSetup& setup);

  // At most one finding per subject: the first difference. Engine errors are findings.
  std::vector<Finding> Run(std::vector<Subject> subjects, const Variant& variant, Counts* counts);

  // Whether the subject alone shows a difference on the engine that the finding names.
  std::optional<Finding> Again(const Finding& finding, Subject subject);

 private:
  struct Ran {
    Plan plan;
    Records records;  // the interpreter's
  };

  std::optional<Finding> Check(const Batch& batch, size_t subject, const FuzzerSetup& setup,
                               Counts* counts);
  std::string CheckPlan(const Batch& batch, size_t subject, const FuzzerSetup& setup,
                        const Ran& ran, std::string* engine);
  // With `only_leaving` the engine ran the plan in one go before.
  std::string CheckEngine(EngineUnderTest& engine, const Subject& subject, const Ran& ran,
                          bool only_leaving);
  Result<Records> Reference(const Plan& plan, const Subject& subject);
  std::vector<Finding> RunBuilt(const Batch& batch, const FuzzerSetup& setup, Counts* counts);
  std::vector<Finding> RunAlone(std::vector<Subject> subjects, const Variant& variant,
                                const Status& why, const std::string& engine, Counts* counts);
  std::optional<std::pair<std::string, Status>> Build(const Batch& batch, const FuzzerSetup& setup);
  Effort EffortOf(size_t engine, const Variant& variant) const;
  EngineUnderTest* Named(const std::string& name);

  FuzzerSetup setup_;
  std::vector<EngineUnderTest> engines_;  // the interpreter first
};

}  // namespace wb::fuzz
