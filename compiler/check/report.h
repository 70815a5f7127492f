#pragma once

// Collects violations, in the order of lines and each once.

#include <clang/Basic/SourceManager.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "compiler/check/violation.h"

namespace wb {

class Report {
 public:
  // `at` is where the text itself has it, whatever a #line says of it.
  void Add(const clang::SourceManager& sources, clang::SourceLocation at, std::string message) {
    violations_.push_back({sources.getExpansionLineNumber(at), sources.getExpansionColumnNumber(at),
                           std::move(message)});
  }
  void AddForText(std::string message) { violations_.push_back({0, 0, std::move(message)}); }
  bool empty() const { return violations_.empty(); }

  std::vector<Violation> Take() {
    std::stable_sort(violations_.begin(), violations_.end(),
                     [](const Violation& a, const Violation& b) {
                       return std::pair(a.line, a.column) < std::pair(b.line, b.column);
                     });
    violations_.erase(std::unique(violations_.begin(), violations_.end()), violations_.end());
    return std::move(violations_);
  }

 private:
  std::vector<Violation> violations_;
};

}  // namespace wb
