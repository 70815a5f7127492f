#pragma once

// Counting outcomes, the table people read, and the committed baseline that only rises. Pure.

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/base/status.h"
#include "tests/spec/plan.h"
#include "tests/spec/script.h"

namespace wb::spec {

struct Count {
  uint32_t passed = 0;
  uint32_t refused = 0;
  uint32_t failed = 0;
  uint32_t total() const { return passed + refused + failed; }
  Count& operator+=(const Count& other);
};

struct FileTally {
  std::string file;  // "address"
  Count executed;    // what an engine was asked, instantiation included
  Count decoder;     // what decoding or text parsing answers
  uint32_t passed() const { return executed.passed + decoder.passed; }
  uint32_t total() const { return executed.total() + decoder.total(); }
};

struct Tally {
  std::vector<FileTally> files;
  std::map<std::string, uint32_t> refusals;  // checks per reason
  std::vector<std::string> failures;         // "FILE.wast:LINE: COMMAND: what"

  // An open outcome is a failure: no check may be forgotten.
  void Add(std::string_view file, const Script& script, const std::vector<Outcome>& outcomes);
  FileTally Sum() const;
};

std::string Table(const Tally& tally);

// Which run a baseline line speaks of: "cpu native plain".
struct RunName {
  std::string engine;
  std::string floats;
  std::string mode;
  std::string ToString() const { return engine + " " + floats + " " + mode; }
};

// "spec cpu native plain: P of T passed, R refused, F failed"
std::string LastLine(const RunName& run, const Tally& tally);

// Lines "ENGINE FLOATS MODE FILE PASSED", sorted; '#' begins a comment.
class Baseline {
 public:
  static Result<Baseline> Parse(std::string_view text);
  std::string ToString() const;

  // One sentence per file that passes fewer checks than it did.
  std::vector<std::string> Drops(const RunName& run, const Tally& tally) const;
  // How many files pass more than the baseline says.
  size_t Rises(const RunName& run, const Tally& tally) const;
  void Update(const RunName& run, const Tally& tally);

 private:
  std::map<std::string, uint32_t> passed_;  // key: "cpu native plain address"
};

}  // namespace wb::spec
