#include "tests/fuzz/kept.h"

#include <fstream>
#include <optional>
#include <utility>

#include "tests/fuzz/shrink.h"

namespace wb::fuzz {
namespace {

Status Write(const std::filesystem::path& path, ByteView bytes) {
  std::ofstream out(path, std::ios::binary);
  out.write(reinterpret_cast<const char*>(bytes.data()),
            static_cast<std::streamsize>(bytes.size()));
  out.close();
  if (out) return {};
  return Status(Reason::kIoError, "The file [" + path.string() + "] cannot be written.");
}

// What SubjectFromFile reads from a text's first line.
std::string FirstLine(const Subject& subject) {
  std::string line;
  if (!subject.canonical_nans) line += ";; nans as they come";
  if (subject.max_stack != kMaxStackSlots) line += ";; stack " + std::to_string(subject.max_stack);
  if (subject.max_fuel != kMostFuel) line += ";; fuel " + std::to_string(subject.max_fuel);
  return line.empty() ? "" : line + "\n";
}

}  // namespace

std::string Described(const Finding& finding) {
  return finding.subject.name + " on " + finding.engine + ": " + finding.what + " (variant " +
         std::to_string(finding.variant.number) + ")";
}

Finding Shrunk(Fuzzer& fuzzer, const Finding& finding, uint32_t tries) {
  std::optional<Finding> best = fuzzer.Again(finding, finding.subject);
  if (!best) return finding;
  const auto again = [&](Subject subject) {
    auto found = fuzzer.Again(finding, std::move(subject));
    if (!found) return false;
    best = std::move(found);
    return true;
  };
  if (!finding.subject.choices.empty()) {
    ShrinkChoices(
        finding.subject.choices,
        [&](const Numbers& choices) {
          auto subject = SubjectOf(finding.subject.name, choices);
          return subject.ok() && again(std::move(subject).value());
        },
        tries);
    return std::move(*best);
  }
  ShrinkModule(
      finding.subject.wasm,
      [&](const Bytes& wasm) {
        Subject subject = finding.subject;
        subject.wasm = wasm;
        subject.wat.clear();
        return Module::Decode(wasm).ok() && again(std::move(subject));
      },
      tries);
  return std::move(*best);
}

Status Keep(const std::filesystem::path& folder, const Finding& finding) {
  std::error_code ignored;
  std::filesystem::create_directories(folder, ignored);
  const std::filesystem::path path = folder / finding.subject.name;
  const std::string text = FirstLine(finding.subject) + finding.subject.wat;
  if (finding.subject.wat.empty()) {
    WB_TRY(Write(path.string() + ".wasm", finding.subject.wasm));
  } else {
    WB_TRY(Write(path.string() + ".wat", AsBytes(text)));
  }
  return Write(path.string() + ".txt", AsBytes(Described(finding) + "\n"));
}

}  // namespace wb::fuzz
