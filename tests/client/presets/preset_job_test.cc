#include "client/cli/presets/preset_job.h"

#include <gtest/gtest.h>

#include "client/cli/presets/preset.h"
#include "tests/client/presets/modules_under_test.h"

namespace wb::cli {
namespace {

namespace v1 = wasmburst::v1;

PresetOptions Called(Preset preset, const std::string& call, std::vector<std::string> args) {
  PresetOptions options;
  options.preset = preset;
  options.program.call = call;
  options.program.args = std::move(args);
  return options;
}

std::string Steps(const PresetOptions& options, const v1::Module& module) {
  std::vector<InputColumn> inputs;
  const Result<v1::Job> job = BuildPresetJob(options, module, &inputs);
  return job.ok() ? StepsText(*job) : job.status().message();
}

v1::Module CModule() {
  return ModuleWith({{"malloc", "i", "i"},
                     {"free", "i", ""},
                     {"sum", "ii", "i"},
                     {"upper", "ii", ""},
                     {"salted", "lii", "i"},
                     {"compare", "iiii", "i"},
                     {"pair", "ii", "ii"},
                     {"shout", "i", "i"}});
}

TEST(PresetJob, BytesAreAPointerAndALength) {
  EXPECT_EQ(Steps(Called(Preset::kBytes, "sum", {"text:abc"}), CModule()),
            "malloc(length 0); write r0 column 0; sum(r0, length 0); free(r0)");
  EXPECT_EQ(Steps(Called(Preset::kBytes, "salted", {"7", "hex:00ff"}), CModule()),
            "malloc(length 0); write r0 column 0; salted(7, r0, length 0); free(r0)");
  EXPECT_EQ(Steps(Called(Preset::kBytes, "compare", {"text:a", "text:b"}), CModule()),
            "malloc(length 0); write r0 column 0; malloc(length 1); write r2 column 1; "
            "compare(r0, length 0, r2, length 1); free(r0); free(r2)");
}

TEST(PresetJob, BytesThatAFunctionChangesOrReturnsAreRead) {
  EXPECT_EQ(Steps(Called(Preset::kBytes, "upper", {"text:abc"}), CModule()),
            "malloc(length 0); write r0 column 0; upper(r0, length 0); "
            "read r0, length 0 as bytes; free(r0)");
  EXPECT_EQ(Steps(Called(Preset::kBytes, "pair", {"text:abc"}), CModule()),
            "malloc(length 0); write r0 column 0; pair(r0, length 0); read r2, r2.1 as bytes; "
            "free(r0)");
  PresetOptions options = Called(Preset::kBytes, "sum", {"text:abc"});
  options.program.reads = {"row=64"};
  EXPECT_EQ(Steps(options, CModule()),
            "malloc(length 0); write r0 column 0; sum(r0, length 0); read r2, 64 as row; free(r0)");
}

TEST(PresetJob, EachInstanceHasBytesAndNumbersOfItsOwn) {
  std::vector<InputColumn> inputs;
  const v1::Job job =
      BuildPresetJob(Called(Preset::kBytes, "salted", {"0..2", "bytes:[a,bc]"}), CModule(), &inputs)
          .value();
  EXPECT_EQ(job.instances(), 2u);
  EXPECT_EQ(StepsText(job),
            "malloc(length 1); write r0 column 1; salted(column 0, r0, length 1); free(r0)");
  EXPECT_EQ(job.columns(0).range().start().i64(), 0);
  EXPECT_EQ(job.columns(1).bytes().values(1), "bc");
  ASSERT_EQ(inputs.size(), 2u);
  EXPECT_EQ(inputs[0].TextAt(1), "1");
  EXPECT_EQ(inputs[1].TextAt(1), "bc");
}

TEST(PresetJob, TheFileOfAnInstanceIsTheFirstArgument) {
  PresetOptions options = Called(Preset::kBytes, "sum", {});
  options.program.files.emplace();
  options.program.files->kind = ArgSpec::Kind::kBytes;
  options.program.files->texts = {"abc", ""};
  EXPECT_EQ(Steps(options, CModule()),
            "malloc(length 0); write r0 column 0; sum(r0, length 0); free(r0)");
}

TEST(PresetJob, RoomIsWhereTheUserSays) {
  PresetOptions options = Called(Preset::kBytes, "sum", {"text:abc"});
  options.program.write_at = "1024";
  EXPECT_EQ(Steps(options, CModule()), "write 1024 column 0; sum(1024, length 0)");
  options = Called(Preset::kBytes, "compare", {"text:a", "text:b"});
  options.program.write_at = "1024";
  EXPECT_NE(Steps(options, CModule()).find("--write-at [1024] has room for one argument"),
            std::string::npos);
  options = Called(Preset::kBytes, "sum", {"text:abc"});
  options.program.alloc = "shout";
  EXPECT_EQ(Steps(options, CModule()), "shout(length 0); write r0 column 0; sum(r0, length 0)");
}

TEST(PresetJob, AReleaseTakesWhatItsTypeSays) {
  const v1::Module module =
      ModuleWith({{"alloc", "i", "i"}, {"dealloc", "ii", ""}, {"run", "ii", "i"}});
  EXPECT_EQ(Steps(Called(Preset::kBytes, "run", {"text:abc"}), module),
            "alloc(length 0); write r0 column 0; run(r0, length 0); dealloc(r0, length 0)");
}

TEST(PresetJob, AReactorIsInitialized) {
  const v1::Module module = ModuleWith({{"_initialize", "", ""}, {"twice", "i", "i"}});
  EXPECT_EQ(Steps(Called(Preset::kBytes, "twice", {"4"}), module), "_initialize(); twice(4)");
}

TEST(PresetJob, ATextOfCEndsWithAZero) {
  std::vector<InputColumn> inputs;
  const v1::Job job =
      BuildPresetJob(Called(Preset::kCString, "shout", {"text:abc"}), CModule(), &inputs).value();
  EXPECT_EQ(
      StepsText(job),
      "malloc(length 0); write r0 column 0; shout(r0); read r2, until zero as text; free(r0)");
  EXPECT_EQ(job.columns(0).bytes().values(0), std::string("abc\0", 4));
  EXPECT_EQ(inputs[0].TextAt(0), "abc");
  EXPECT_NE(Steps(Called(Preset::kCString, "shout", {"hex:6100"}), CModule())
                .find("of instance [0] holds a zero byte"),
            std::string::npos);
}

v1::Module AssemblyScriptModule() {
  return ModuleWith({{"__new", "ii", "i"},
                     {"__pin", "i", "i"},
                     {"__unpin", "i", ""},
                     {"greet", "i", "i"},
                     {"nothing", "i", ""}});
}

TEST(PresetJob, AssemblyScriptsStringsArePinnedAndReadBySize) {
  std::vector<InputColumn> inputs;
  PresetOptions options = Called(Preset::kAsString, "greet", {"text:\xc3\xa9"});
  const v1::Job job = BuildPresetJob(options, AssemblyScriptModule(), &inputs).value();
  EXPECT_EQ(StepsText(job),
            "__new(length 0, 2); __pin(r0); write r0 column 0; greet(r0); "
            "read r3, [r3-4] as text; __unpin(r0)");
  EXPECT_EQ(job.columns(0).bytes().values(0), std::string("\xe9\0", 2));
  options.plain_result = true;
  EXPECT_EQ(Steps(options, AssemblyScriptModule()),
            "__new(length 0, 2); __pin(r0); write r0 column 0; greet(r0); __unpin(r0)");
  EXPECT_NE(Steps(Called(Preset::kAsString, "greet", {"hex:ff"}), AssemblyScriptModule())
                .find("is not UTF-8"),
            std::string::npos);
}

TEST(PresetJob, AssemblyScriptsTypedArraysHaveAHeaderInAndOut) {
  std::vector<InputColumn> inputs;
  PresetOptions options = Called(Preset::kAsArray, "greet", {"elements:i16:[1,2]"});
  const v1::Job job = BuildPresetJob(options, AssemblyScriptModule(), &inputs).value();
  EXPECT_EQ(StepsText(job),
            "__new(length 0, 1); __pin(r0); write r0 column 0; __new(12, 1); __pin(r3); "
            "store r3 = r0; store r3+4 = r0; store r3+8 = length 0; greet(r3); "
            "store r8-4 = [r8-4]; read [r8+4], [r8+8] as bytes; __unpin(r0); __unpin(r3)");
  EXPECT_EQ(job.columns(0).bytes().values(0), std::string("\1\0\2\0", 4));
  EXPECT_EQ(inputs[0].TextAt(0), "[1,2]");
  options.program.write_at = "64";
  EXPECT_NE(Steps(options, AssemblyScriptModule()).find("an array has a header besides"),
            std::string::npos);
}

// Of the classes i32[] (4) and f64[] (5), among others.
v1::Module ModuleOfArrays() {
  v1::Module module = AssemblyScriptModule();
  for (const uint32_t flags : {0x20, 0x20, 0x20, 0x4002, 0x902, 0x1a02}) {
    module.add_class_flags(flags);
  }
  return module;
}

TEST(PresetJob, AnArrayThatGrowsHasTheHeaderOfItsClass) {
  std::vector<InputColumn> inputs;
  const v1::Job job =
      BuildPresetJob(Called(Preset::kAsDynamicArray, "nothing", {"elements:f64:[[1,2],[3]]"}),
                     ModuleOfArrays(), &inputs)
          .value();
  EXPECT_EQ(StepsText(job),
            "__new(length 0, 1); __pin(r0); write r0 column 0; __new(16, 5); __pin(r3); "
            "store r3 = r0; store r3+4 = r0; store r3+8 = length 0; store r3+12 = column 1; "
            "nothing(r3); __unpin(r0); __unpin(r3)");
  EXPECT_EQ(job.columns(1).list().bits32(0), 2u);
  EXPECT_EQ(job.columns(1).list().bits32(1), 1u);
  EXPECT_EQ(job.linked_size(), 0);
  ASSERT_EQ(inputs.size(), 1u);
  EXPECT_EQ(inputs[0].TextAt(1), "[3]");
}

TEST(PresetJob, AnArraysBytesAreCountedByItsClass) {
  PresetOptions options = Called(Preset::kAsDynamicArray, "greet", {"elements:i32:[7]"});
  std::vector<InputColumn> inputs;
  const v1::Job job = BuildPresetJob(options, ModuleOfArrays(), &inputs).value();
  EXPECT_EQ(StepsText(job),
            "__new(length 0, 1); __pin(r0); write r0 column 0; __new(16, 4); __pin(r3); "
            "store r3 = r0; store r3+4 = r0; store r3+8 = length 0; store r3+12 = 1; greet(r3); "
            "array-bytes.array_bytes(-1, [r9-8], 4, [r9+12], 2); "
            "array-bytes.array_bytes(r10, [r9-8], 5, [r9+12], 3); "
            "read [r9+4], r11 as bytes; __unpin(r0); __unpin(r3)");
  ASSERT_EQ(job.linked_size(), 1);
  EXPECT_EQ(job.linked(0).name(), "array-bytes");
  options.program.reads = {"first=4"};
  EXPECT_EQ(BuildPresetJob(options, ModuleOfArrays(), &inputs)->linked_size(), 0);
}

TEST(PresetJob, AnArrayNeedsAClassOfTheModules) {
  const auto said = [](std::vector<std::string> args, const std::string& alloc = "") {
    PresetOptions options = Called(Preset::kAsDynamicArray, "greet", std::move(args));
    options.program.alloc = alloc;
    return Steps(options, ModuleOfArrays());
  };
  EXPECT_EQ(
      said({"elements:u16:[1]"}),
      "The module has no class [Array<u16>]; it has [Array<i32>], [Array<f64>]. Give elements "
      "of one of these, or compile with --exportRuntime.");
  EXPECT_NE(said({"text:abc"}).find("no class [Array<u8>]"), std::string::npos);
  EXPECT_NE(said({"elements:i32:[1]"}, "greet").find("--alloc [greet] is told no class"),
            std::string::npos);
}

// By the header, which a null has not, if not by the length that stands there.
TEST(PresetJob, ReadsOfTheUsersOwnTouchTheHeaderFirst) {
  for (const Preset preset : {Preset::kAsString, Preset::kAsBuffer, Preset::kAsArray}) {
    PresetOptions options = Called(preset, "greet", {"4"});
    options.program.reads = {"first=4"};
    const std::string steps = Steps(options, AssemblyScriptModule());
    EXPECT_TRUE(steps.starts_with("greet(4); store r0-4 = [r0-4]; read ")) << steps;
  }
  PresetOptions number = Called(Preset::kAsString, "greet", {"4"});
  number.plain_result = true;
  EXPECT_EQ(Steps(number, AssemblyScriptModule()), "greet(4)");
}

TEST(PresetJob, AssemblyScriptsBuffersAreTheirBytes) {
  EXPECT_EQ(Steps(Called(Preset::kAsBuffer, "greet", {"hex:0102"}), AssemblyScriptModule()),
            "__new(length 0, 1); __pin(r0); write r0 column 0; greet(r0); "
            "read r3, [r3-4] as bytes; __unpin(r0)");
}

TEST(PresetJob, TextsAreDeclared) {
  const auto encoding = [](const PresetOptions& options, const v1::Module& module) {
    std::vector<InputColumn> inputs;
    const v1::Job job = BuildPresetJob(options, module, &inputs).value();
    for (const v1::Step& step : job.steps()) {
      if (step.has_read()) return step.read().text();
    }
    return v1::NO_TEXT;
  };
  EXPECT_EQ(encoding(Called(Preset::kAsString, "greet", {"text:a"}), AssemblyScriptModule()),
            v1::UTF_16);
  PresetOptions text = Called(Preset::kCString, "shout", {"text:a"});
  EXPECT_EQ(encoding(text, CModule()), v1::UTF_8);
  text.program.reads = {"line=zero:80"};
  EXPECT_EQ(encoding(text, CModule()), v1::UTF_8);
  EXPECT_EQ(encoding(Called(Preset::kBytes, "upper", {"text:a"}), CModule()), v1::NO_TEXT);
}

v1::Module RustModule() {
  return ModuleWith({{"__wbindgen_malloc", "ii", "i"},
                     {"__wbindgen_free", "iii", ""},
                     {"__wbindgen_add_to_stack_pointer", "i", "i"},
                     {"greet", "iii", ""},
                     {"modern", "ii", "ii"},
                     {"count", "ii", "i"}});
}

TEST(PresetJob, WasmBindgensResultStandsBehindTheReturnArea) {
  EXPECT_EQ(Steps(Called(Preset::kWasmBindgen, "greet", {"text:abc"}), RustModule()),
            "__wbindgen_add_to_stack_pointer(-16); __wbindgen_malloc(length 0, 1); "
            "write r1 column 0; greet(r0, r1, length 0); read [r0], [r0+4] as bytes; "
            "__wbindgen_free([r0], [r0+4], 1); __wbindgen_add_to_stack_pointer(16)");
}

TEST(PresetJob, WasmBindgensResultMayBeTwoValues) {
  EXPECT_EQ(Steps(Called(Preset::kWasmBindgen, "modern", {"text:abc"}), RustModule()),
            "__wbindgen_malloc(length 0, 1); write r0 column 0; modern(r0, length 0); "
            "read r2, r2.1 as bytes; __wbindgen_free(r2, r2.1, 1)");
  EXPECT_EQ(Steps(Called(Preset::kWasmBindgen, "count", {"text:abc"}), RustModule()),
            "__wbindgen_malloc(length 0, 1); write r0 column 0; count(r0, length 0)");
}

v1::Module HashModule() {
  return ModuleWith({{"Hash_GetBuffer", "", "i"},
                     {"Hash_Init", "i", ""},
                     {"Hash_Update", "i", ""},
                     {"Hash_Final", "i", ""}});
}

TEST(PresetJob, AHashTakesItsBytesInPartsOfTheBuffer) {
  PresetOptions options = Called(Preset::kHashWasm, "Hash_Final", {"text:abc", "256", "6"});
  options.program.reads = {"digest=32"};
  EXPECT_EQ(Steps(options, HashModule()),
            "Hash_GetBuffer(); Hash_Init(256); write r0 column 0; Hash_Update(length 0); "
            "Hash_Final(6); read r0, 32 as digest");
  options.program.args = {"text:" + std::string((16 << 10) + 1, 'x')};
  std::vector<InputColumn> inputs;
  const v1::Job job = BuildPresetJob(options, HashModule(), &inputs).value();
  EXPECT_EQ(StepsText(job),
            "Hash_GetBuffer(); Hash_Init(0); write r0 column 0; Hash_Update(length 0); "
            "write r0 column 1; Hash_Update(length 1); Hash_Final(0); read r0, 32 as digest");
  EXPECT_EQ(job.columns(1).bytes().values(0), "x");
}

TEST(PresetJob, AHashSaysWhatItLacks) {
  PresetOptions options = Called(Preset::kHashWasm, "Hash_Final", {"text:abc"});
  EXPECT_NE(Steps(options, HashModule()).find("--read digest=LENGTH"), std::string::npos);
  options.program.reads = {"digest=32"};
  EXPECT_NE(Steps(options, CModule()).find("[Hash_GetBuffer]"), std::string::npos);
  options.program.args = {"text:abc", "1", "2", "3"};
  EXPECT_NE(Steps(options, HashModule()).find("[1] arguments are left over"), std::string::npos);
  options.program.args = {"1"};
  EXPECT_NE(Steps(options, HashModule()).find("the first argument is what is hashed"),
            std::string::npos);
}

TEST(PresetJob, WrongCountsAndMissingRoomAreNamed) {
  EXPECT_EQ(Steps(Called(Preset::kBytes, "sum", {"text:a", "1"}), CModule()),
            "The function [sum(i32, i32)] takes [2] parameters; by --call-as bytes the arguments "
            "that were given are [3]. Bytes (text:..., hex:..., @FILE) are [2] of them, a number "
            "is one.");
  EXPECT_NE(
      Steps(Called(Preset::kAsString, "shout", {"text:a"}), CModule())
          .find("The module exports nothing that gives room for bytes by --call-as as-string"),
      std::string::npos);
  EXPECT_NE(
      Steps(Called(Preset::kBytes, "sam", {"text:a"}), CModule()).find("exports no function [sam]"),
      std::string::npos);
}

TEST(Preset, NamesAreTheirOwn) {
  for (const std::string& name : PresetNames()) {
    EXPECT_EQ(InfoOf(*PresetNamed(name)).name, name);
    EXPECT_NE(PresetForms().find(name), std::string::npos);
  }
  EXPECT_FALSE(PresetNamed("none"));
}

}  // namespace
}  // namespace wb::cli
