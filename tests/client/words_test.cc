// Flags in messages, modules in words, answers of wasmburst-compile.

#include <gtest/gtest.h>

#include "client/cli/commands/commands.h"
#include "client/cli/commands/flag_names.h"
#include "client/cli/invocation/module_file.h"
#include "client/cli/program/child.h"
#include "client/cli/program/local_compiler.h"
#include "client/cli/program/module_text.h"

namespace wb::cli {
namespace {

namespace v1 = wasmburst::v1;

TEST(FlagNames, FieldsAreNamedAsTheyAreTyped) {
  EXPECT_EQ(WithFlagNames("the job's limits.max_memory_bytes is [16777216]. Raise it."),
            "the job's --memory is [16777216]. Raise it.");
  EXPECT_EQ(
      WithFlagNames("The field [job.limits.max_fuel] asks for [5]. (field job.limits.max_fuel)"),
      "The flag [--fuel] asks for [5]. (field --fuel)");
  EXPECT_EQ(WithFlagNames("limits.max_total_time: [10] ms"), "--total-time: [10] ms");
  EXPECT_EQ(WithFlagNames("The field [job.instances] must be at least 1."),
            "The flag [--instances] must be at least 1.");
}

TEST(FlagNames, OtherWordsStay) {
  for (const char* text :
       {"", "limits.max_times", "my_limits.max_time", "The field [job.columns]"}) {
    EXPECT_EQ(WithFlagNames(text), text);
  }
}

TEST(ModuleNames, ADigestIsEnough) {
  const std::string digits(64, 'a');
  EXPECT_EQ(FullModuleName(digits), "modules/sha256:" + digits);
  EXPECT_EQ(FullModuleName("sha256:" + digits), "modules/sha256:" + digits);
  EXPECT_EQ(FullModuleName("modules/sha256:" + digits), "modules/sha256:" + digits);
  EXPECT_EQ(FullModuleName("aaaa"), "aaaa");
  EXPECT_TRUE(NamesModule("sha256:" + digits));
  EXPECT_FALSE(NamesModule(digits));  // may be a file
}

TEST(ModuleText, ImportsAndExportsHaveTypes) {
  v1::Module module;
  v1::ModuleImport* import = module.add_imports();
  import->set_module("env");
  import->set_name("log");
  import->set_kind("function");
  import->set_type("(i32) -> ()");
  v1::ModuleExport* exported = module.add_exports();
  exported->set_name("memory");
  exported->set_kind("memory");
  exported->set_type("1..2 pages");
  EXPECT_EQ(ModuleText(module),
            "  import function env.log (i32) -> ()\n  export memory memory 1..2 pages");
  EXPECT_EQ(ModuleText(v1::Module()), "  no imports, no exports");
}

constexpr const char* kModuleAnswer = R"json({"name": "modules/sha256:00", "size_bytes": 9,
  "exports": [{"name": "f", "kind": "function", "params": ["I32", "V128"],
               "type": "(i32, v128) -> ()"}]})json";
constexpr const char* kErrorAnswer = R"json({"error": {"reason": "WASM_INVALID", "message": "No.",
  "details": [{"key": "offset", "value": "7"}]}})json";

TEST(LocalCompiler, AnAnswerIsAMessageOrAnError) {
  v1::Module module;
  EXPECT_TRUE(ReadAnswer(kModuleAnswer, &module).ok());
  EXPECT_EQ(module.size_bytes(), 9u);
  EXPECT_EQ(module.exports(0).params(1), v1::V128);
  const Status status = ReadAnswer(kErrorAnswer, &module);
  EXPECT_EQ(status.reason(), Reason::kWasmInvalid);
  EXPECT_EQ(status.message(), "No.");
  EXPECT_EQ(status.details(), (std::vector<Detail>{{"offset", "7"}}));
  EXPECT_EQ(ReadAnswer("nonsense", &module).reason(), Reason::kIoError);
}

TEST(Child, GetsItsInputAndGivesItsOutput) {
  const std::string much(300'000, 'x');
  const ChildEnd end = RunToEnd({"/bin/cat"}, much).value();
  EXPECT_EQ(end.exit_code, 0);
  EXPECT_EQ(end.output, much);
  EXPECT_EQ(RunToEnd({"/bin/sh", "-c", "exit 3"}, "").value().exit_code, 3);
  EXPECT_EQ(RunToEnd({"/nowhere/program"}, "").status().reason(), Reason::kIoError);
  const Status missing = FindCompanion("wasmburst-nothing", "compiler/tool").status();
  EXPECT_EQ(missing.reason(), Reason::kNotFound);
  EXPECT_NE(missing.message().find("libexec/wasmburst/wasmburst-nothing]"), std::string::npos);
}

}  // namespace
}  // namespace wb::cli
