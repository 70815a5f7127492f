#pragma once

// What a run of many instances came to: how often each exit code, and the first failures. Pure.

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "wasmburst/v1/results.pb.h"

namespace wb::cli {

class RunSummary {
 public:
  // `item`: what the instance was for.
  void Add(const wasmburst::v1::InstanceResult& result, const std::string& item);

  uint64_t failed() const { return failed_; }
  // "exit codes: 9998 times 0, 2 times 1; 1 trapped"; empty where nothing has ended.
  std::string CodesText() const;
  // A few lines for each of the first failures; `with_errors`: what it wrote to standard error too.
  std::string FailuresText(bool with_errors) const;

 private:
  struct Failure {
    std::string item;
    std::string how;     // FailureText
    std::string errors;  // the end of its standard error
  };

  uint64_t failed_ = 0;
  std::map<uint32_t, uint64_t> codes_;  // returned counts as exit code 0
  std::map<std::string, uint64_t> other_ends_;
  std::vector<Failure> first_;
};

}  // namespace wb::cli
