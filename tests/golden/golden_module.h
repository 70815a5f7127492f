#pragma once

// Test only: the modules of this folder, and their kernel texts.

#include <memory>
#include <string>
#include <vector>

#include "compiler/compiler.h"

namespace wb::test {

// "add", "br_table", ...: the .wat files, sorted.
std::vector<std::string> GoldenNames();
std::string GoldenPath(const std::string& name, const std::string& extension);
std::shared_ptr<const LoweredModule> GoldenModule(const std::string& name);
// A module whose name begins with "flat" is printed flattened, if nothing else is asked for.
std::string GoldenText(const std::string& name, MemoryLayout layout,
                       Floats floats = Floats::kNative);
std::string GoldenText(const std::string& name, const CompileOptions& options);

// A kernel text without the parts that are the same in every text: the module's constants, structs,
// functions and wb_call.
std::string OwnPart(std::string text);

}  // namespace wb::test
