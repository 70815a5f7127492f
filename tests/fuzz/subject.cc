#include "tests/fuzz/subject.h"

#include <algorithm>
#include <utility>

#include "tests/compiler/emit/random_loops.h"
#include "tests/compiler/emit/random_module.h"
#include "tests/compiler/wasm/assemble.h"
#include "tests/spec/wast_file.h"

namespace wb::fuzz {
namespace {

namespace fs = std::filesystem;
using test::Choices;

// The first choices say what kind of module it is, the others what is in it.
Result<Subject> Generated(std::string name, Choices choices) {
  static constexpr uint32_t kStacks[] = {kMaxStackSlots, kMaxStackSlots, kMaxStackSlots, 300, 60};
  Subject subject;
  subject.name = std::move(name);
  subject.canonical_nans = !choices.Chance(25);
  const auto calls = choices.Chance(40) ? test::Calls::kRecursive : test::Calls::kDag;
  const uint32_t functions = 1 + choices.Below(5);
  if (choices.Chance(15)) subject.max_fuel = 1 + choices.Below(3000);
  subject.max_stack = kStacks[choices.Below(std::size(kStacks))];
  const bool loops = choices.Chance(20);
  const auto nans = subject.canonical_nans ? test::Nans::kCanonical : test::Nans::kAsTheyCome;
  subject.wat = loops ? test::MakeRandomLoops(choices, functions)
                      : test::MakeRandomModule(choices, functions, nans, calls).wat;
  subject.choices = choices.made();
  WB_ASSIGN(subject.wasm, test::Assemble(subject.wat));
  return subject;
}

class Generator final : public Source {
 public:
  Result<Subject> Make(uint64_t number) const override {
    return Generated("seed-" + std::to_string(number), Choices(number));
  }
};

class Folder final : public Source {
 public:
  explicit Folder(std::vector<fs::path> files) : files_(std::move(files)) {}
  Result<Subject> Make(uint64_t number) const override {
    return SubjectFromFile(files_[number % files_.size()]);
  }

 private:
  std::vector<fs::path> files_;
};

class Alternating final : public Source {
 public:
  Alternating(std::unique_ptr<Source> one, std::unique_ptr<Source> other)
      : one_(std::move(one)), other_(std::move(other)) {}
  Result<Subject> Make(uint64_t number) const override {
    return number % 2 == 0 ? one_->Make(number) : other_->Make(number / 2);
  }

 private:
  std::unique_ptr<Source> one_, other_;
};

}  // namespace

std::unique_ptr<Source> InTurn(std::unique_ptr<Source> one, std::unique_ptr<Source> other) {
  return std::make_unique<Alternating>(std::move(one), std::move(other));
}

std::unique_ptr<Source> GeneratedModules() { return std::make_unique<Generator>(); }

Result<Subject> SubjectOf(std::string name, const std::vector<uint32_t>& choices) {
  return Generated(std::move(name), Choices(choices));
}

Result<std::unique_ptr<Source>> FolderOfModules(const fs::path& folder) {
  std::vector<fs::path> files;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder, error)) {
    const fs::path extension = entry.path().extension();
    if (extension == ".wasm" || extension == ".wat") files.push_back(entry.path());
  }
  if (files.empty()) {
    return Status(Reason::kNotFound,
                  "The folder [" + folder.string() + "] holds no .wasm and no .wat file.");
  }
  std::sort(files.begin(), files.end());
  return std::unique_ptr<Source>(std::make_unique<Folder>(std::move(files)));
}

namespace {

// The number behind a word of the line, as in "stack 300".
uint64_t Setting(const std::string& line, const std::string& word, uint64_t otherwise) {
  const size_t at = line.find(word + " ");
  return at == std::string::npos ? otherwise : std::stoull(line.substr(at + word.size() + 1));
}

}  // namespace

// A text may say so in its first line: ";; nans as they come", ";; stack 300", ";; fuel 700".
Result<Subject> SubjectFromFile(const fs::path& file) {
  Subject subject;
  subject.name = file.stem().string();
  WB_ASSIGN(subject.wasm, spec::ReadFileBytes(file));
  if (file.extension() != ".wat") return subject;
  subject.wat = std::string(AsText(subject.wasm));
  const std::string first = subject.wat.substr(0, subject.wat.find('\n'));
  if (first.starts_with(";;")) {
    subject.canonical_nans = first.find("nans as they come") == std::string::npos;
    subject.max_stack = static_cast<uint32_t>(Setting(first, "stack", kMaxStackSlots));
    subject.max_fuel = Setting(first, "fuel", kMostFuel);
  }
  WB_ASSIGN(subject.wasm, test::Assemble(subject.wat));
  return subject;
}

}  // namespace wb::fuzz
