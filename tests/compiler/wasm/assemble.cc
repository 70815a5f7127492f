#include "tests/compiler/wasm/assemble.h"

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>

#include "wabt/binary-writer.h"
#include "wabt/ir.h"
#include "wabt/stream.h"
#include "wabt/wast-lexer.h"
#include "wabt/wast-parser.h"

namespace wb::test {
namespace {

Status FirstError(const wabt::Errors& errors) {
  if (errors.empty()) return Status(Reason::kWatInvalid, "The text could not be assembled.");
  const wabt::Error& first = errors.front();
  return Status(Reason::kWatInvalid, "The text could not be assembled: " + first.message + ".",
                {{"line", std::to_string(first.loc.line)},
                 {"column", std::to_string(first.loc.first_column)}});
}

}  // namespace

Result<Bytes> Assemble(std::string_view wat) {
  wabt::Features features;
  features.EnableAll();
  // These change how modules without them are encoded.
  features.disable_memory64();
  features.disable_gc();

  wabt::Errors errors;
  auto lexer = wabt::WastLexer::CreateBufferLexer("test.wat", wat.data(), wat.size(), &errors);
  wabt::WastParseOptions parse_options(features);
  std::unique_ptr<wabt::Module> module;
  if (Failed(wabt::ParseWatModule(lexer.get(), &module, &errors, &parse_options))) {
    return FirstError(errors);
  }
  wabt::MemoryStream stream;
  wabt::WriteBinaryOptions write_options(features, /*canonicalize_lebs=*/true,
                                         /*relocatable=*/false, /*write_debug_names=*/false);
  if (Failed(wabt::WriteBinaryModule(&stream, module.get(), write_options))) {
    return Status(Reason::kWatInvalid, "The module could not be written.");
  }
  return Bytes(std::move(stream.output_buffer().data));
}

Bytes MustAssemble(std::string_view wat) {
  Result<Bytes> bytes = Assemble(wat);
  if (!bytes.ok()) {
    std::fprintf(stderr, "%s\n", bytes.status().ToString().c_str());
    std::abort();
  }
  return std::move(bytes).value();
}

}  // namespace wb::test
