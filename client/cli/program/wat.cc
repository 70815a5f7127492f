#include "client/cli/program/wat.h"

#include <wabt/binary-writer.h>
#include <wabt/error.h>
#include <wabt/feature.h>
#include <wabt/ir.h>
#include <wabt/stream.h>
#include <wabt/validator.h>
#include <wabt/wast-lexer.h>
#include <wabt/wast-parser.h>

namespace wb::cli {
namespace {

Status Invalid(const std::string& file, int line, int column, const std::string& words) {
  std::string at = file + ":" + std::to_string(line) + ":" + std::to_string(column);
  return Status(Reason::kWatInvalid, at + ": " + words, {{"at", at}});
}

Status FirstOf(const wabt::Errors& errors, const std::string& file) {
  if (errors.empty()) return Invalid(file, 1, 1, "The text is no WebAssembly module.");
  const wabt::Error& error = errors.front();
  return Invalid(file, error.loc.line, error.loc.first_column, error.message);
}

}  // namespace

Result<std::string> AssembleWat(const std::string& text, const std::string& file) {
  WatDepth depth = MeasureDepth(text);
  if (depth.deepest > kMaxWatDepth) {
    return Invalid(file, depth.line, depth.column,
                   "The text nests [" + std::to_string(depth.deepest) + "] deep; text may nest [" +
                       std::to_string(kMaxWatDepth) +
                       "] deep. Assemble it to a binary elsewhere; binaries may nest freely.");
  }
  wabt::Errors errors;
  wabt::Features features;
  features.EnableAll();
  auto lexer = wabt::WastLexer::CreateBufferLexer(file, text.data(), text.size(), &errors);
  wabt::WastParseOptions parse_options(features);
  std::unique_ptr<wabt::Module> module;
  if (wabt::Failed(wabt::ParseWatModule(lexer.get(), &module, &errors, &parse_options))) {
    return FirstOf(errors, file);
  }
  wabt::ValidateOptions validate_options(features);
  if (wabt::Failed(wabt::ValidateModule(module.get(), &errors, validate_options))) {
    return FirstOf(errors, file);
  }
  wabt::MemoryStream stream;
  wabt::WriteBinaryOptions write_options;
  write_options.features = features;
  if (wabt::Failed(wabt::WriteBinaryModule(&stream, module.get(), write_options))) {
    return Invalid(file, 1, 1, "The module cannot be written as a binary.");
  }
  const std::vector<uint8_t>& bytes = stream.output_buffer().data;
  return std::string(bytes.begin(), bytes.end());
}

}  // namespace wb::cli
