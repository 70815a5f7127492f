#include "client/cli/output/output_texts.h"

#include <utility>

namespace wb::cli {

namespace v1 = wasmburst::v1;

OutputTexts::OutputTexts(const v1::Job& job) {
  for (const v1::Step& step : job.steps()) {
    if (!step.has_read() || step.read().text() == v1::NO_TEXT) continue;
    encodings_[step.read().output()] = step.read().text();
  }
}

const v1::TextEncoding* OutputTexts::EncodingOf(const std::string& output) const {
  const auto found = encodings_.find(output);
  return found == encodings_.end() ? nullptr : &found->second;
}

v1::InstanceResult OutputTexts::Decoded(v1::InstanceResult result) const {
  for (v1::Output& output : *result.mutable_outputs()) {
    const v1::TextEncoding* encoding = EncodingOf(output.name());
    if (encoding != nullptr) output.set_data(DecodeText(output.data(), *encoding).utf8);
  }
  return result;
}

void WrongTexts::Add(const v1::InstanceResult& result, const OutputTexts& texts) {
  for (const v1::Output& output : result.outputs()) {
    const v1::TextEncoding* encoding = texts.EncodingOf(output.name());
    if (encoding == nullptr || DecodeText(output.data(), *encoding).wrong_bytes == 0) continue;
    ++outputs_[*encoding];
  }
}

std::string WrongTexts::Text() const {
  std::string text;
  for (const auto& [encoding, count] : outputs_) {
    text += (text.empty() ? "" : "\n") + std::to_string(count) +
            (count == 1 ? " output holds" : " outputs hold") + " bytes that are not " +
            TextEncodingName(encoding) +
            "; U+FFFD stands for them. --show-output hex shows the bytes.";
  }
  return text;
}

}  // namespace wb::cli
