#include "tests/compiler/wasm/script_binaries.h"

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

namespace wb::test {

std::vector<ScriptBinary> ReadScriptBinaries(const std::string& json_path) {
  std::ifstream file(json_path);
  const nlohmann::json script = nlohmann::json::parse(file);
  std::vector<ScriptBinary> binaries;
  for (const auto& entry : script.at("commands")) {
    ScriptBinary binary;
    binary.file = entry.value("filename", "");
    if (std::filesystem::path(binary.file).extension() != ".wasm") continue;
    binary.type = entry.at("type");
    binary.text = entry.value("text", "");
    binary.line = entry.at("line");
    binaries.push_back(std::move(binary));
  }
  return binaries;
}

}  // namespace wb::test
