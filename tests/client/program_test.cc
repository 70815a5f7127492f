#include "client/cli/program/program.h"

#include <gtest/gtest.h>

namespace wb::cli {
namespace {

namespace v1 = wasmburst::v1;

v1::Module SampleModule() {
  v1::Module module;
  v1::ModuleExport* run = module.add_exports();
  run->set_name("run");
  run->set_kind("function");
  run->add_params(v1::I64);
  run->add_params(v1::I32);
  run->add_results(v1::I32);
  v1::ModuleExport* alloc = module.add_exports();
  alloc->set_name("alloc");
  alloc->set_kind("function");
  alloc->add_params(v1::I32);
  v1::ModuleExport* memory = module.add_exports();
  memory->set_name("memory");
  memory->set_kind("memory");
  return module;
}

Result<v1::Job> Parse(const std::string& json) {
  ProgramOptions options;
  options.program = json;
  options.linked["library"] = SampleModule();
  return BuildJob(options, SampleModule());
}

TEST(Program, CallWithColumnsAndConstants) {
  ProgramOptions options;
  options.call = "run";
  options.args = {"0..5", "7"};
  options.reads = {"row=64"};
  v1::Job job = BuildJob(options, SampleModule()).value();
  EXPECT_EQ(job.instances(), 5u);
  ASSERT_EQ(job.steps_size(), 2);
  EXPECT_EQ(job.steps(0).call().args(0).column(), 0u);
  EXPECT_EQ(job.steps(0).call().args(1).constant().i32(), 7);
  EXPECT_EQ(job.columns(0).range().start().i64(), 0);
  EXPECT_EQ(job.steps(1).read().output(), "row");
  EXPECT_EQ(job.steps(1).read().length().constant().i32(), 64);
  options.instances = 3;
  EXPECT_EQ(BuildJob(options, SampleModule()).value().instances(), 3u);
  options.instances = 6;
  EXPECT_FALSE(BuildJob(options, SampleModule()).ok());
}

TEST(Program, AReadMayEndBeforeAZero) {
  ProgramOptions options;
  options.call = "run";
  options.args = {"0", "7"};
  options.reads = {"text=zero:64"};
  const v1::ReadStep flag = BuildJob(options, SampleModule()).value().steps(1).read();
  EXPECT_TRUE(flag.until_zero());
  EXPECT_EQ(flag.length().constant().i32(), 64);
  const auto step = [](const std::string& until_zero) {
    return Parse(R"({"steps": [{"read": {"pointer": 0, "length": 64, "until_zero": )" + until_zero +
                 R"(, "output": "text"}}]})");
  };
  EXPECT_TRUE(step("true")->steps(0).read().until_zero());
  EXPECT_FALSE(step("false")->steps(0).read().until_zero());
  EXPECT_EQ(step("1").status().message(),
            "The program's [steps[0].read.until_zero] is neither true nor false.");
}

TEST(Program, AReadMayBeAText) {
  const auto step = [](const std::string& text) {
    return Parse(R"({"steps": [{"read": {"pointer": 0, "length": 64, "text": )" + text +
                 R"(, "output": "text"}}]})");
  };
  EXPECT_EQ(step("\"utf-8\"")->steps(0).read().text(), v1::UTF_8);
  EXPECT_EQ(step("\"utf-16\"")->steps(0).read().text(), v1::UTF_16);
  for (const char* wrong : {"\"latin-1\"", "16"}) {
    EXPECT_EQ(step(wrong).status().message(),
              "The program's [steps[0].read.text] is neither \"utf-8\" nor \"utf-16\".");
  }
}

TEST(Program, AStoreTakesTwoOperands) {
  const v1::StoreStep store =
      Parse(R"({"steps": [{"store": {"pointer": 64, "value": {"load32": 8}}}]})")->steps(0).store();
  EXPECT_EQ(store.pointer().constant().i32(), 64);
  EXPECT_EQ(store.value().load32().pointer().constant().i32(), 8);
  EXPECT_FALSE(Parse(R"({"steps": [{"store": {"pointer": 64, "column": "x"}}]})").ok());
}

// Of functions that take files.
v1::Module FileModule() {
  v1::Module module;
  for (const char* name : {"malloc", "hash", "salted", "wide"}) {
    v1::ModuleExport* exported = module.add_exports();
    exported->set_name(name);
    exported->set_kind("function");
    exported->add_params(v1::I32);
    exported->add_results(v1::I32);
  }
  module.mutable_exports(1)->add_params(v1::I32);
  module.mutable_exports(2)->add_params(v1::I32);
  module.mutable_exports(2)->add_params(v1::I64);
  module.mutable_exports(3)->add_params(v1::I64);
  return module;
}

ProgramOptions OfTwoFiles(const std::string& call) {
  ProgramOptions options;
  options.call = call;
  options.files.emplace();
  options.files->kind = ArgSpec::Kind::kBytes;
  options.files->name = "file";
  options.files->texts = {"abc", ""};
  options.files->shown = {"in/a", "in/b"};
  return options;
}

TEST(Program, AFileGoesWhereAllocSays) {
  ProgramOptions options = OfTwoFiles("salted");
  options.alloc = "malloc";
  options.args = {"5..7"};
  options.reads = {"sum=32"};
  std::vector<InputColumn> inputs;
  Result<v1::Job> job = BuildJob(options, FileModule(), &inputs);
  ASSERT_TRUE(job.ok()) << job.status().message();
  EXPECT_EQ(job->instances(), 2u);
  ASSERT_EQ(job->steps_size(), 4);
  EXPECT_EQ(job->steps(0).call().function(), "malloc");
  EXPECT_EQ(job->steps(0).call().args(0).source_case(), v1::Operand::kColumnLength);
  EXPECT_EQ(job->columns(static_cast<int>(job->steps(0).call().args(0).column_length()))
                .bytes()
                .values(0),
            "abc");
  EXPECT_EQ(job->steps(1).write().pointer().result().step(), 0u);
  const v1::CallStep& call = job->steps(2).call();
  ASSERT_EQ(call.args_size(), 3);
  EXPECT_TRUE(call.args(0).has_result());
  EXPECT_EQ(call.args(1).source_case(), v1::Operand::kColumnLength);
  EXPECT_EQ(job->columns(static_cast<int>(call.args(2).column())).range().start().i64(), 5);
  EXPECT_EQ(job->steps(3).read().pointer().result().step(), 2u);  // of the call, not of malloc
  ASSERT_EQ(inputs.size(), 2u);
  EXPECT_EQ(inputs[0].name, "file");
  EXPECT_EQ(inputs[0].TextAt(1), "in/b");
  EXPECT_EQ(inputs[1].name, "arg1");
  EXPECT_EQ(inputs[1].TextAt(1), "6");
}

TEST(Program, AFileGoesToAnAddress) {
  ProgramOptions options = OfTwoFiles("hash");
  options.write_at = "0x400";
  const v1::Job job = BuildJob(options, FileModule()).value();
  ASSERT_EQ(job.steps_size(), 2);
  EXPECT_EQ(job.steps(0).write().pointer().constant().i32(), 1024);
  EXPECT_EQ(job.steps(1).call().args(0).constant().i32(), 1024);
}

TEST(Program, FilesNeedAPlaceAndAFunctionThatTakesThem) {
  auto message = [](const ProgramOptions& options) {
    return BuildJob(options, FileModule()).status().message();
  };
  ProgramOptions options = OfTwoFiles("hash");
  EXPECT_NE(message(options).find("either --alloc EXPORT"), std::string::npos);
  options.alloc = "hash";
  EXPECT_NE(message(options).find("[hash(i32, i32)] cannot give room"), std::string::npos);
  options = OfTwoFiles("malloc");
  options.write_at = "0";
  EXPECT_NE(message(options).find("takes [1] arguments; [0] were given, and pointer and length"),
            std::string::npos);
  options.call = "wide";
  EXPECT_NE(message(options).find("[wide(i32, i64)] does not take pointer and length"),
            std::string::npos);
}

TEST(Program, FilesAreAColumnOfAProgram) {
  ProgramOptions options = OfTwoFiles("");
  options.program = R"({"columns": {"seed": {"type": "i64", "values": [7, 9]}},
    "steps": [{"write": {"pointer": 0, "column": "file"}}]})";
  std::vector<InputColumn> inputs;
  Result<v1::Job> job = BuildJob(options, FileModule(), &inputs);
  ASSERT_TRUE(job.ok()) << job.status().message();
  EXPECT_EQ(job->instances(), 2u);
  EXPECT_EQ(job->columns(static_cast<int>(job->steps(0).write().column())).bytes().values(0),
            "abc");
  ASSERT_EQ(inputs.size(), 2u);
  EXPECT_EQ(inputs[0].name + inputs[0].TextAt(0), "filein/a");
  EXPECT_EQ(inputs[1].name + inputs[1].TextAt(1), "seed9");
  options.program = R"({"columns": {"file": {"type": "i64", "values": 1}}, "steps": []})";
  EXPECT_NE(BuildJob(options, FileModule()).status().message().find("columns.file"),
            std::string::npos);
}

TEST(Program, WrongCallsAreExplained) {
  ProgramOptions options;
  options.call = "memory";
  Status status = BuildJob(options, SampleModule()).status();
  EXPECT_EQ(status.reason(), Reason::kEntryPointNotFound);
  EXPECT_NE(status.message().find("run(i64, i32), alloc(i32)"), std::string::npos);
  options.call = "run";
  options.args = {"1"};
  EXPECT_EQ(BuildJob(options, SampleModule()).status().reason(), Reason::kSignatureMismatch);
  options.args = {"1", "hex:00"};
  EXPECT_EQ(BuildJob(options, SampleModule()).status().reason(), Reason::kInvalidArgument);
  options.args = {"1", "2"};
  options.reads = {"row"};
  EXPECT_FALSE(BuildJob(options, SampleModule()).ok());
}

TEST(Program, FileWithSeveralSteps) {
  std::string json = R"({
    "columns": {"seed": {"type": "i64", "values": "0..4"},
                "text": {"type": "bytes", "values": ["a", "b", "c", "d"]}},
    "steps": [
      {"call": "alloc", "args": [4096]},
      {"write": {"pointer": {"result": [0, 0]}, "column": "text"}},
      {"call": "run", "args": [{"column": "seed"}, {"result": [0, 0], "add": 16}],
       "go_on_after_trap": true},
      {"read": {"pointer": {"result": [0, 0], "add": -4}, "length": 8, "output": "row"}}]})";
  Result<v1::Job> job = Parse(json);
  ASSERT_TRUE(job.ok()) << job.status().message();
  EXPECT_EQ(job->instances(), 4u);
  ASSERT_EQ(job->steps_size(), 4);
  EXPECT_EQ(job->steps(1).write().column(), 1u);
  EXPECT_EQ(job->columns(1).bytes().values_size(), 4);
  EXPECT_EQ(job->steps(2).call().args(1).add().i32(), 16);
  EXPECT_TRUE(job->steps(2).call().go_on_after_trap());
  EXPECT_EQ(job->steps(3).read().pointer().add().i32(), -4);
}

TEST(Program, ACallOfALinkedModule) {
  Result<v1::Job> job =
      Parse(R"({"steps": [{"call": "alloc", "module": "library", "args": [1]}]})");
  ASSERT_TRUE(job.ok()) << job.status().message();
  EXPECT_EQ(job->steps(0).call().module(), "library");
  EXPECT_EQ(job->steps(0).call().function(), "alloc");
  job = Parse(R"({"steps": [{"call": "alloc", "module": "other", "args": [1]}]})");
  EXPECT_NE(job.status().message().find("steps[0].module"), std::string::npos)
      << job.status().message();
  job = Parse(R"({"steps": [{"call": "none", "module": "library", "args": [1]}]})");
  EXPECT_EQ(job.status().reason(), Reason::kEntryPointNotFound);
}

TEST(Program, BytesOfInstancesAsHexadecimalDigits) {
  auto parse = [](const std::string& values) {
    return Parse(R"({"columns": {"text": {"type": "hex", "values": )" + values + R"(}},
      "steps": [{"write": {"pointer": 0, "column": "text"}}]})");
  };
  Result<v1::Job> job = parse(R"(["00ff", "", "4A4b4c"])");
  ASSERT_TRUE(job.ok()) << job.status().message();
  EXPECT_EQ(job->instances(), 3u);
  EXPECT_EQ(job->columns(0).bytes().values(0), std::string("\0\xff", 2));
  EXPECT_EQ(job->columns(0).bytes().values(1), "");
  EXPECT_EQ(job->columns(0).bytes().values(2), "JKL");
  for (const char* bad : {R"(["0"])", R"(["0g"])", R"("hex:00")"}) {
    EXPECT_EQ(parse(bad).status().reason(), Reason::kInvalidArgument) << bad;
  }
}

TEST(Program, TheSchemaShownIsTaken) {
  // The example needs the module that it speaks of and no file.
  std::string json = kProgramSchema;
  json = json.substr(0, json.find("\nOperands:"));
  size_t at = json.find("@input.bin");
  json.replace(at, 10, "hex:0102");
  Result<v1::Job> job = Parse(json);
  ASSERT_TRUE(job.ok()) << job.status().message();
  EXPECT_EQ(job->instances(), 1024u);
}

TEST(Program, MistakesAreNamed) {
  auto message = [](const std::string& json) {
    Result<v1::Job> job = Parse(json);
    return job.ok() ? std::string() : job.status().message();
  };
  EXPECT_NE(message("{").find("not JSON"), std::string::npos);
  EXPECT_NE(message("[]").find("no JSON object"), std::string::npos);
  EXPECT_NE(message("{}").find("at least one step"), std::string::npos);
  EXPECT_NE(message(R"({"stepz": []})").find("stepz"), std::string::npos);
  EXPECT_NE(message(R"({"steps": [{"jump": 1}]})").find("steps[0]"), std::string::npos);
  EXPECT_NE(message(R"({"steps": [{"call": 1}]})").find("steps[0].call"), std::string::npos);
  EXPECT_NE(message(R"({"steps": [{"call": "alloc"}]})").find("steps[0].args"), std::string::npos);
  EXPECT_NE(message(R"({"steps": [{"call": "alloc", "args": [{}]}]})").find("args[0]"),
            std::string::npos);
  EXPECT_NE(message(R"({"steps": [{"call": "alloc", "args": [{"column": "x"}]}]})").find("\"x\""),
            std::string::npos);
  EXPECT_NE(message(R"({"steps": [{"call": "alloc", "args": [1.5]}]})").find("1.5"),
            std::string::npos);
  EXPECT_NE(message(R"({"columns": {"a": {"type": "i9", "values": 1}}, "steps": []})").find("type"),
            std::string::npos);
  EXPECT_NE(message(R"({"columns": {"a": {"type": "i32", "values": "hex:00"}}, "steps": []})")
                .find("not of its type"),
            std::string::npos);
  EXPECT_NE(message(R"({"steps": [{"read": {"pointer": 1, "length": 1}}]})").find("output"),
            std::string::npos);
}

}  // namespace
}  // namespace wb::cli
