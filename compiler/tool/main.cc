// wasmburst-compile COMMAND [--floats F] [--layout L] [--json] FILE|-: what the compiler makes of a
// WebAssembly binary, without a daemon. Exit status 0: done, 1: the module is refused, 2: wrong
// usage or input.

#include <cstdio>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>
#include <string_view>
#include <system_error>

#include "compiler/base/bytes.h"
#include "compiler/compiler.h"
#include "compiler/ir/ir.h"
#include "compiler/system/system_layer.h"
#include "compiler/tool/module_json.h"

namespace {

constexpr const char* kUsage =
    "usage: wasmburst-compile inspect|msl|ir [--floats native|metal|fast32]\n"
    "                         [--layout contiguous|interleaved] [--json] FILE|-\n"
    "  inspect   the module's imports and exports, as JSON\n"
    "  msl       the kernel text\n"
    "  ir        the compiler's own form\n"
    "  --floats  native (CPUs, NVIDIA GPUs; default); metal: for devices without double that "
    "flush\n"
    "            subnormals; fast32: as metal, but f32 arithmetic may flush them\n"
    "  --layout  contiguous (CPUs; default), or interleaved: memory by words, as on GPUs;\n"
    "            --interleaved is the same as --layout interleaved\n"
    "            A Mac gets --floats metal --layout interleaved.\n"
    "  --json    the answer, or the error, as JSON of proto/wasmburst/v1/modules.proto\n"
    "FILE is a WebAssembly binary; -: standard input. wasmburstctl assembles text and starts "
    "this.\n";

struct Request {
  std::string command;
  std::string file;
  wb::CompileOptions options;
  bool json = false;
};

// False: there is no form of this name.
bool ParseFloats(std::string_view name, wb::Floats* floats) {
  for (const wb::Floats each : {wb::Floats::kNative, wb::Floats::kMetal, wb::Floats::kFast32}) {
    if (wb::FloatsName(each) != name) continue;
    *floats = each;
    return true;
  }
  return false;
}

bool ParseLayout(std::string_view name, wb::MemoryLayout* layout) {
  for (const auto each : {wb::MemoryLayout::kContiguous, wb::MemoryLayout::kInterleaved,
                          wb::MemoryLayout::kTiled, wb::MemoryLayout::kHot}) {
    if (wb::LayoutName(each) != name) continue;
    *layout = each;
    return true;
  }
  return false;
}

// False: the usage is to be printed.
bool ParseArguments(int argc, char** argv, Request* request) {
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    const bool has_value = i + 1 < argc;
    if (word == "--interleaved") {
      request->options.layout = wb::MemoryLayout::kInterleaved;
    } else if (word == "--floats" && has_value) {
      if (!ParseFloats(argv[++i], &request->options.floats)) return false;
    } else if (word == "--layout" && has_value) {
      if (!ParseLayout(argv[++i], &request->options.layout)) return false;
    } else if (word == "--json") {
      request->json = true;
    } else if (request->command.empty()) {
      request->command = word;
    } else if (request->file.empty() && (word == "-" || !word.starts_with("-"))) {
      request->file = word;
    } else {
      return false;
    }
  }
  const std::string& command = request->command;
  const bool known = command == "inspect" || command == "msl" || command == "ir";
  return known && !request->file.empty();
}

bool ReadInput(const std::string& file, std::string* bytes) {
  if (file == "-") {
    bytes->assign(std::istreambuf_iterator<char>(std::cin), {});
    return true;
  }
  std::ifstream stream(file, std::ios::binary);
  if (stream.peek() == std::ifstream::traits_type::eof() && !stream.eof()) return false;
  bytes->assign(std::istreambuf_iterator<char>(stream), {});
  return !stream.bad();
}

wb::Result<std::string> Text(const Request& request,
                             const std::shared_ptr<const wb::Module>& module) {
  WB_ASSIGN(auto whole, wb::WholeProgram(module));
  WB_ASSIGN(const auto lowered, wb::Lower(std::move(whole)));
  if (request.command == "ir") {
    std::string text;
    for (const wb::ir::Function& function : lowered->program.functions) {
      text += wb::ir::Dump(function) + "\n";
    }
    return text;
  }
  WB_ASSIGN(wb::KernelSource source, wb::EmitKernel(*lowered, request.options));
  return std::move(source.text);
}

wb::Result<std::string> Answer(const Request& request, const std::string& bytes) {
  WB_ASSIGN(const auto module, wb::Module::Decode(wb::AsBytes(bytes)));
  if (request.command == "inspect") return wb::ModuleJson(*module);
  WB_ASSIGN(std::string text, Text(request, module));
  return request.json ? wb::CompiledJson(*module, text) : text;
}

}  // namespace

int main(int argc, char** argv) {
  Request request;
  if (!ParseArguments(argc, argv, &request)) {
    std::fputs(kUsage, stderr);
    return 2;
  }
  std::string bytes;
  if (!ReadInput(request.file, &bytes)) {
    std::fprintf(stderr, "wasmburst-compile: [%s] cannot be read; name a readable file or -.\n",
                 request.file.c_str());
    return 2;
  }
  const wb::Result<std::string> answer = Answer(request, bytes);
  if (answer.ok()) {
    std::fwrite(answer->data(), 1, answer->size(), stdout);
  } else if (request.json) {
    std::fputs(wb::ErrorJson(answer.status()).c_str(), stdout);
  } else {
    std::fprintf(stderr, "wasmburst-compile: %s\n", answer.status().ToString().c_str());
  }
  if (std::fflush(stdout) != 0) return 2;
  return answer.ok() ? 0 : 1;
}
