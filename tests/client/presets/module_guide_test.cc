#include "client/cli/presets/module_guide.h"

#include <gtest/gtest.h>

#include "tests/client/presets/modules_under_test.h"

namespace wb::cli {
namespace {

namespace v1 = wasmburst::v1;

std::vector<std::string> Commands(const v1::Module& module, const std::string& file = "a.wasm") {
  std::vector<std::string> commands;
  for (const GuideLine& line : RunCommands(module, file)) commands.push_back(line.command);
  return commands;
}

using Lines = std::vector<std::string>;

TEST(ModuleGuide, AProgramIsRunAndNotCalled) {
  v1::Module module = ModuleWith({{"_start", "", ""}, {"malloc", "i", "i"}});
  AddImport(&module, "wasi_snapshot_preview1", "fd_write", "function", "(i32) -> i32");
  AddImport(&module, "env", "log", "function", "(i32) -> ()");
  EXPECT_EQ(ModuleKind(module), "a WASI command");
  EXPECT_EQ(Commands(module, "my tool.wasm"),
            (Lines{"wasmburstctl run 'my tool.wasm' --bind 'env.*=trap' --"}));
}

TEST(ModuleGuide, ImportsSayHowTheyAreGiven) {
  v1::Module module;
  AddImport(&module, "wasi_snapshot_preview1", "fd_write", "function", "(i32) -> i32");
  AddImport(&module, "wasmburst", "output_append", "function", "(i32) -> i32");
  AddImport(&module, "env", "log", "function", "(i32) -> ()");
  AddImport(&module, "env", "memory", "memory", "1 or more pages");
  AddImport(&module, "env", "base", "global", "mutable i64");
  EXPECT_EQ(ImportGivenBy(module.imports(0)), "given by the system layer");
  EXPECT_EQ(ImportGivenBy(module.imports(1)), "given by the device");
  EXPECT_EQ(ImportGivenBy(module.imports(2)),
            "give --bind env.log=trap (or ignore, record, host) or --module env=FILE");
  EXPECT_EQ(ImportGivenBy(module.imports(3)), "give --module env=FILE");
  *module.add_exports() = ModuleWith({{"run", "l", "i"}}).exports(0);
  EXPECT_EQ(Commands(module),
            (Lines{"wasmburstctl job run a.wasm --module env=FILE.wasm --bind 'env.*=trap' "
                   "--bind env.base=constant:i64:0 --call run --arg 0"}));
}

TEST(ModuleGuide, EachFunctionHasThePresetThatFits) {
  EXPECT_EQ(
      Commands(ModuleWith(
          {{"malloc", "i", "i"}, {"free", "i", ""}, {"sum", "iil", "i"}, {"half", "l", "l"}})),
      (Lines{"wasmburstctl job run a.wasm --call sum --call-as bytes --arg text:hello --arg 0",
             "wasmburstctl job run a.wasm --call half --arg 0"}));
  EXPECT_EQ(Commands(ModuleWith({{"__new", "ii", "i"}, {"greet", "i", "i"}, {"half", "l", "l"}})),
            (Lines{"wasmburstctl job run a.wasm --call greet --call-as as-string --arg text:hello",
                   "wasmburstctl job run a.wasm --call greet --call-as as-array --arg "
                   "'elements:i32:[1,2,3]'",
                   "wasmburstctl job run a.wasm --call half --arg 0"}));
  v1::Module arrays = ModuleWith({{"__new", "ii", "i"}, {"greet", "i", "i"}});
  arrays.add_class_flags(0x1a02);
  EXPECT_EQ(Commands(arrays).back(),
            "wasmburstctl job run a.wasm --call greet --call-as as-dynamic-array --arg "
            "'elements:f64:[1,2,3]'");
  EXPECT_EQ(
      Commands(ModuleWith({{"__wbindgen_malloc", "ii", "i"},
                           {"__wbindgen_add_to_stack_pointer", "i", "i"},
                           {"greet", "iii", ""},
                           {"half", "l", "l"}})),
      (Lines{"wasmburstctl job run a.wasm --call greet --call-as wasm-bindgen --arg text:hello",
             "wasmburstctl job run a.wasm --call half --arg 0"}));
  EXPECT_EQ(
      Commands(
          ModuleWith({{"Hash_GetBuffer", "", "i"}, {"Hash_Init", "", ""}, {"Hash_Final", "", ""}})),
      (Lines{"wasmburstctl job run a.wasm --call-as hash-wasm --arg text:hello --read digest=32"}));
}

// Without room for bytes a pair of numbers is a pair of numbers.
TEST(ModuleGuide, APairOfNumbersAloneIsNoBytes) {
  EXPECT_EQ(Commands(ModuleWith({{"add", "ii", "i"}})),
            (Lines{"wasmburstctl job run a.wasm --call add --arg 0 --arg 0"}));
}

TEST(ModuleGuide, ALibraryIsShownWithItsMemory) {
  v1::Module module = ModuleWith({{"it's", "", ""}});
  module.set_memory_min_pages(2);
  EXPECT_EQ(ModuleGuide(module, "modules/sha256:00"),
            "  a library; memory of 2 pages, may grow\n"
            "  export function it's () -> ()\n"
            "To run it:\n"
            "  wasmburstctl job run modules/sha256:00 --call 'it'\\''s'");
  EXPECT_EQ(ModuleKind(v1::Module()), "no functions to call");
  EXPECT_EQ(ModuleKind(ModuleWith({{"_initialize", "", ""}, {"f", "", ""}})), "a WASI reactor");
}

TEST(ModuleGuide, SaysWhichHintsCountAndWhichLinesAreNone) {
  v1::Module module;
  module.add_hints("divergent");
  module.add_ignored_hints("hot main");
  const std::string guide = ModuleGuide(module, "a.wasm");
  EXPECT_NE(guide.find("\n  hint divergent"), std::string::npos) << guide;
  EXPECT_NE(guide.find("\n  no hint, ignored: hot main"), std::string::npos) << guide;
}

}  // namespace
}  // namespace wb::cli
