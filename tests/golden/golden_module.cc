#include "tests/golden/golden_module.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "compiler/link/link.h"
#include "compiler/runtime/runtime.h"
#include "tests/compiler/wasm/assemble.h"

namespace wb::test {

namespace fs = std::filesystem;

namespace {

template <typename T>
T Must(Result<T> result, const std::string& name) {
  if (!result.ok()) {
    std::fprintf(stderr, "%s: %s\n", name.c_str(), result.status().ToString().c_str());
    std::abort();
  }
  return std::move(result).value();
}

void Remove(std::string_view part, std::string* text) {
  const size_t at = text->find(part);
  if (at != std::string::npos) text->erase(at, part.size());
}

}  // namespace

std::vector<std::string> GoldenNames() {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(WB_GOLDEN_FOLDER)) {
    if (entry.path().extension() == ".wat") names.push_back(entry.path().stem().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

std::string GoldenPath(const std::string& name, const std::string& extension) {
  return std::string(WB_GOLDEN_FOLDER) + "/" + name + extension;
}

namespace {

std::shared_ptr<const Module> Read(const std::string& name, const std::string& extension) {
  std::ifstream file(GoldenPath(name, extension));
  const std::string wat(std::istreambuf_iterator<char>(file), {});
  return Must(Module::Decode(Must(Assemble(wat), name)), name);
}

}  // namespace

// One with a `.library` beside it is linked with that, to be instantiated by steps.
std::shared_ptr<const LoweredModule> GoldenModule(const std::string& name) {
  std::shared_ptr<const Module> module = Read(name, ".wat");
  if (fs::exists(GoldenPath(name, ".library"))) {
    const auto parts = PartsByName({{"library", Read(name, ".library")}, {"main", module}});
    module = Must(Link(parts, {}, Instantiation::kBySteps), name);
  }
  return Must(Lower(module), name);
}

std::string GoldenText(const std::string& name, MemoryLayout layout, Floats floats) {
  CompileOptions options;
  options.floats = floats;
  options.layout = layout;
  options.most_copies = 1;  // enough to see what a copy looks like
  if (name.rfind("flat", 0) == 0) options.flattening = Flattening::kAlways;
  return GoldenText(name, options);
}

std::string GoldenText(const std::string& name, const CompileOptions& options) {
  return Must(EmitKernel(*GoldenModule(name), options), name).text;
}

std::string OwnPart(std::string text) {
  Remove(ConstantsText(), &text);
  Remove(ParamsText(), &text);
  for (std::string_view part : AllTexts()) Remove(PartText(part), &text);
  return text;
}

}  // namespace wb::test
