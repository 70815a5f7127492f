#include "client/cli/output/demangle.h"

#include <cxxabi.h>

#include <array>
#include <cstdlib>
#include <memory>
#include <string_view>

namespace wb::cli {
namespace {

// Two references of each part to the one before it double the text with every part.
constexpr size_t kMostReferences = 24;
constexpr size_t kLongest = 512;

bool IsReferenceDigit(char c) { return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z'); }

// "S_", "S1A_" and "T_", "T0_".
size_t References(std::string_view mangled) {
  size_t references = 0;
  for (size_t i = 0; i < mangled.size(); ++i) {
    if (mangled[i] != 'S' && mangled[i] != 'T') continue;
    size_t end = i + 1;
    while (end < mangled.size() && IsReferenceDigit(mangled[end])) ++end;
    if (end < mangled.size() && mangled[end] == '_') ++references;
  }
  return references;
}

// Rust's own hash stands behind the last "::".
bool TakeRustHash(std::string* name) {
  constexpr size_t kHash = 19;  // ::h and 16 digits
  if (name->size() <= kHash) return false;
  const std::string_view hash = std::string_view(*name).substr(name->size() - kHash);
  if (!hash.starts_with("::h")) return false;
  if (hash.substr(3).find_first_not_of("0123456789abcdef") != std::string_view::npos) return false;
  name->resize(name->size() - kHash);
  return true;
}

struct RustEscape {
  std::string_view escape;
  std::string_view text;
};
constexpr std::array<RustEscape, 16> kRustEscapes = {{{"$SP$", "@"},
                                                      {"$BP$", "*"},
                                                      {"$RF$", "&"},
                                                      {"$LT$", "<"},
                                                      {"$GT$", ">"},
                                                      {"$LP$", "("},
                                                      {"$RP$", ")"},
                                                      {"$C$", ","},
                                                      {"$u20$", " "},
                                                      {"$u27$", "'"},
                                                      {"$u3d$", "="},
                                                      {"$u5b$", "["},
                                                      {"$u5d$", "]"},
                                                      {"$u7b$", "{"},
                                                      {"$u7d$", "}"},
                                                      {"$u7e$", "~"}}};

std::string WithoutRustEscapes(std::string_view name) {
  std::string text;
  while (!name.empty()) {
    size_t taken = 1;
    std::string_view put = name.substr(0, 1);
    for (const RustEscape& known : kRustEscapes) {
      if (!name.starts_with(known.escape)) continue;
      taken = known.escape.size();
      put = known.text;
    }
    if (name.starts_with("..")) {
      taken = 2;
      put = "::";
    }
    // A part may not begin with an escape: an underscore stands before it.
    const bool begins = text.empty() || text.ends_with("::");
    if (!(begins && name.starts_with("_$"))) text += put;
    name.remove_prefix(taken);
  }
  return text;
}

}  // namespace

std::string DemangledName(const std::string& name) {
  if (!name.starts_with("_Z") || References(name) > kMostReferences) return name;
  const std::string mangled = name.substr(0, name.find(".llvm."));  // of a copy that LLVM made
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> made(
      abi::__cxa_demangle(mangled.c_str(), nullptr, nullptr, &status), std::free);
  if (status != 0 || made == nullptr) return name;
  std::string text = made.get();
  if (TakeRustHash(&text)) text = WithoutRustEscapes(text);
  return text.size() > kLongest ? name : text;
}

}  // namespace wb::cli
