#include "tests/spec/tally.h"

#include <charconv>
#include <cstdio>

#include "scheduler/base/quoted.h"

namespace wb::spec {
namespace {

constexpr std::string_view kHeader =
    "# Checks of the specification suite that pass: ENGINE FLOATS MODE FILE PASSED.\n"
    "# Only rises; deploy/spec.sh --update-baseline writes it.\n";

std::string Row(const FileTally& row) {
  char text[160];
  std::snprintf(text, sizeof text, "%-36s %7u %7u %7u %8u %7u %7u %8u\n", row.file.c_str(),
                row.executed.passed, row.executed.refused, row.executed.failed, row.decoder.passed,
                row.decoder.refused, row.decoder.failed, row.total());
  return text;
}

std::string Key(const RunName& run, const std::string& file) { return run.ToString() + " " + file; }

}  // namespace

Count& Count::operator+=(const Count& other) {
  passed += other.passed;
  refused += other.refused;
  failed += other.failed;
  return *this;
}

void Tally::Add(std::string_view file, const Script& script, const std::vector<Outcome>& outcomes) {
  FileTally row;
  row.file = file;
  for (size_t i = 0; i < script.commands.size(); ++i) {
    const Command& command = script.commands[i];
    if (!Counts(command.kind)) continue;
    Count& count = IsDecoderCheck(command.kind) ? row.decoder : row.executed;
    const Outcome& outcome = outcomes[i];
    if (outcome.verdict == Verdict::kPassed) {
      ++count.passed;
    } else if (outcome.verdict == Verdict::kRefused) {
      ++count.refused;
      ++refusals[outcome.reason];
    } else {
      ++count.failed;
      failures.push_back(row.file + ".wast:" + std::to_string(command.line) + ": " +
                         std::string(CommandName(command.kind)) + ": " +
                         (outcome.reason.empty() ? "was never decided" : outcome.reason));
    }
  }
  files.push_back(std::move(row));
}

FileTally Tally::Sum() const {
  FileTally sum;
  sum.file = "all";
  for (const FileTally& row : files) {
    sum.executed += row.executed;
    sum.decoder += row.decoder;
  }
  return sum;
}

std::string Table(const Tally& tally) {
  char head[240];
  std::snprintf(head, sizeof head, "%-36s %23s %24s\n%-36s %7s %7s %7s %8s %7s %7s %8s\n", "",
                "executed", "decoder", "file", "passed", "refused", "failed", "passed", "refused",
                "failed", "checks");
  std::string text = head;
  for (const FileTally& row : tally.files) text += Row(row);
  text += Row(tally.Sum());
  for (const auto& [reason, count] : tally.refusals) {
    text += "refused " + std::to_string(count) + ": " + reason + "\n";
  }
  return text;
}

std::string LastLine(const RunName& run, const Tally& tally) {
  const FileTally sum = tally.Sum();
  return "spec " + run.ToString() + ": " + std::to_string(sum.passed()) + " of " +
         std::to_string(sum.total()) + " passed, " +
         std::to_string(sum.executed.refused + sum.decoder.refused) + " refused, " +
         std::to_string(sum.executed.failed + sum.decoder.failed) + " failed";
}

Result<Baseline> Baseline::Parse(std::string_view text) {
  Baseline baseline;
  while (!text.empty()) {
    const size_t end = text.find('\n');
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    if (line.empty() || line[0] == '#') continue;
    const size_t space = line.rfind(' ');
    uint32_t passed = 0;
    const char* last = line.data() + line.size();
    if (space == std::string_view::npos ||
        std::from_chars(line.data() + space + 1, last, passed).ptr != last) {
      return Status(Reason::kInvalidArgument, "The baseline has the line " + Quoted(line) +
                                                  "; each is ENGINE FLOATS MODE FILE PASSED.");
    }
    baseline.passed_[std::string(line.substr(0, space))] = passed;
  }
  return baseline;
}

std::string Baseline::ToString() const {
  std::string text(kHeader);
  for (const auto& [key, passed] : passed_) text += key + " " + std::to_string(passed) + "\n";
  return text;
}

std::vector<std::string> Baseline::Drops(const RunName& run, const Tally& tally) const {
  std::vector<std::string> drops;
  for (const FileTally& row : tally.files) {
    const auto it = passed_.find(Key(run, row.file));
    if (it == passed_.end() || row.passed() >= it->second) continue;
    drops.push_back(row.file + " passes " + Quoted(row.passed()) + " checks; the baseline has " +
                    Quoted(it->second) + ".");
  }
  return drops;
}

size_t Baseline::Rises(const RunName& run, const Tally& tally) const {
  size_t rises = 0;
  for (const FileTally& row : tally.files) {
    const auto it = passed_.find(Key(run, row.file));
    if (row.passed() > (it == passed_.end() ? 0 : it->second)) ++rises;
  }
  return rises;
}

void Baseline::Update(const RunName& run, const Tally& tally) {
  for (const FileTally& row : tally.files) passed_[Key(run, row.file)] = row.passed();
}

}  // namespace wb::spec
