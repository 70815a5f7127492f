#pragma once

// The binaries that wast2json (wabt) lists of a script of the specification's test suite.

#include <string>
#include <vector>

namespace wb::test {

struct ScriptBinary {
  std::string file;  // in the script's folder
  std::string type;  // of the command: "module", "assert_malformed", "assert_invalid"
  std::string text;  // what an assertion says is wrong
  int line = 0;
};

// In the script's order. Stops the process if this is not what wast2json writes.
std::vector<ScriptBinary> ReadScriptBinaries(const std::string& json_path);

}  // namespace wb::test
