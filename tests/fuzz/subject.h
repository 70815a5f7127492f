#pragma once

// What is fuzzed: one module, and where it came from.

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "compiler/base/status.h"
#include "compiler/compiler.h"
#include "compiler/wasm/module.h"

namespace wb::fuzz {

inline constexpr uint64_t kMostFuel = 400'000;

struct Subject {
  std::string name;  // "seed-17", or a file's
  std::string wat;   // of generated ones
  Bytes wasm;
  std::vector<uint32_t> choices;  // that it was made of; empty: not generated
  // The module makes NaNs canonical itself, so that other engines agree to the bit.
  bool canonical_nans = true;
  uint32_t max_stack = kMaxStackSlots;  // wabt has its own: smaller ones are for ours alone
  uint64_t max_fuel = kMostFuel;
};

// Modules by number. Any thread.
class Source {
 public:
  virtual ~Source() = default;
  virtual Result<Subject> Make(uint64_t number) const = 0;
};

// Our generator (tests/compiler/emit/random_module.h): `number` is its seed.
std::unique_ptr<Source> GeneratedModules();
// Of choices instead of a seed; what they leave open is 0.
Result<Subject> SubjectOf(std::string name, const std::vector<uint32_t>& choices);

// Every *.wasm and *.wat of a folder, by name; the number is taken modulo how many there are.
// NOT_FOUND where there are none.
Result<std::unique_ptr<Source>> FolderOfModules(const std::filesystem::path& folder);
// A module of each in turn.
std::unique_ptr<Source> InTurn(std::unique_ptr<Source> one, std::unique_ptr<Source> other);
Result<Subject> SubjectFromFile(const std::filesystem::path& file);

}  // namespace wb::fuzz
