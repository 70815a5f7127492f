#include "tests/spec/decoder_check.h"

#include <memory>
#include <string>

namespace wb::spec {

Outcome CheckDecoder(const Command& command, ByteView file, const Proposals& proposals) {
  const std::string expected = "expected a refusal [" + command.text + "], got a module";
  if (command.is_text) {
    if (TextParses(AsText(file), proposals)) return {Verdict::kFailed, expected};
    return {Verdict::kPassed, ""};
  }
  const auto module = Module::Decode(file, proposals);
  if (module.ok()) return {Verdict::kFailed, expected};
  const Status status = module.status();
  switch (status.reason()) {
    case Reason::kWasmMalformed:
    case Reason::kWasmInvalid: return {Verdict::kPassed, ""};
    // To a decoder of version 2.0 a later proposal's bytes are malformed; ours names the proposal.
    case Reason::kWasmUnsupportedFeature: return {Verdict::kPassed, ""};
    default: return {Verdict::kFailed, status.ToString()};
  }
}

}  // namespace wb::spec
