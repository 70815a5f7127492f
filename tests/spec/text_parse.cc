#include <wabt/error.h>
#include <wabt/feature.h>
#include <wabt/ir.h>
#include <wabt/wast-lexer.h>
#include <wabt/wast-parser.h>

#include <memory>

#include "tests/spec/decoder_check.h"

namespace wb::spec {

bool TextParses(std::string_view wat) {
  wabt::Errors errors;
  const auto lexer = wabt::WastLexer::CreateBufferLexer("script", wat.data(), wat.size(), &errors);
  std::unique_ptr<wabt::Module> module;
  wabt::WastParseOptions options{wabt::Features()};
  return wabt::Succeeded(wabt::ParseWatModule(lexer.get(), &module, &errors, &options));
}

}  // namespace wb::spec
