#pragma once

// Outputs that a job declares to be texts. Pure.

#include <cstdint>
#include <map>
#include <string>

#include "client/cli/encoding/text_encoding.h"
#include "wasmburst/v1/jobs.pb.h"
#include "wasmburst/v1/results.pb.h"

namespace wb::cli {

class OutputTexts {
 public:
  OutputTexts() = default;
  explicit OutputTexts(const wasmburst::v1::Job& job);  // what its read steps say

  bool any() const { return !encodings_.empty(); }
  // nullptr: it is bytes.
  const wasmburst::v1::TextEncoding* EncodingOf(const std::string& output) const;

  // With every text as UTF-8.
  wasmburst::v1::InstanceResult Decoded(wasmburst::v1::InstanceResult result) const;

 private:
  std::map<std::string, wasmburst::v1::TextEncoding> encodings_;
};

// Counts bytes that are no text, for a word at the end: forms such as CSV have no place for it.
class WrongTexts {
 public:
  void Add(const wasmburst::v1::InstanceResult& result, const OutputTexts& texts);
  // "2 instances have an output that is not UTF-16; ...". Empty where all was text.
  std::string Text() const;

 private:
  std::map<wasmburst::v1::TextEncoding, uint64_t> outputs_;
};

}  // namespace wb::cli
