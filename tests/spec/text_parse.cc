#include <wabt/error.h>
#include <wabt/feature.h>
#include <wabt/ir.h>
#include <wabt/wast-lexer.h>
#include <wabt/wast-parser.h>

#include <memory>

#include "tests/spec/decoder_check.h"

namespace wb::spec {

bool TextParses(std::string_view wat, const Proposals& proposals) {
  wabt::Errors errors;
  const auto lexer = wabt::WastLexer::CreateBufferLexer("script", wat.data(), wat.size(), &errors);
  std::unique_ptr<wabt::Module> module;
  wabt::Features features;
  features.set_tail_call_enabled(proposals.tail_calls);
  features.set_extended_const_enabled(proposals.extended_constants);
  features.set_multi_memory_enabled(proposals.multiple_memories);
  wabt::WastParseOptions options{features};
  return wabt::Succeeded(wabt::ParseWatModule(lexer.get(), &module, &errors, &options));
}

}  // namespace wb::spec
