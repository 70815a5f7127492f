// `run` as it is typed, over a daemon whose programs are fake_program.h's.

#include <CLI/CLI.hpp>

#include <set>

#include "client/cli/commands/commands.h"
#include "client/cli/program/files.h"
#include "client/services/jobs.h"
#include "client/services/server.h"
#include "daemon/process/log.h"
#include "tests/daemon/services/daemon_fixture.h"

namespace wb::cli {
namespace {

using Words = std::vector<std::string>;

constexpr const char* kProgram = R"((module
  (import "wasi_snapshot_preview1" "proc_exit" (func (param i32)))
  (memory (export "memory") 1)
  (func (export "_start"))))";

struct Ran {
  int code = -1;
  Status status;
  std::string output, errors;
};

class RunCommandTest : public DaemonTest {
 protected:
  // The daemon's lines would stand among the program's.
  static void SetUpTestSuite() { SetUpLog({"error", "text"}); }
  void SetUp() override {
    DaemonTest::SetUp();
    Start();
    program_ = folder_ + "/prog.wat";
    ASSERT_TRUE(WriteFile(program_, kProgram).ok());
    for (const char* name : {"a", "b", "c"}) {
      ASSERT_TRUE(WriteFile(folder_ + "/" + name + ".txt", std::string("of ") + name).ok());
    }
  }

  // `run PROGRAM words...`; what stands behind "--" is the program's.
  Ran Run(Words words, Format format = Format::kTable) {
    words.insert(words.begin(), {"run", program_});
    GlobalFlags flags;
    flags.address = daemon_->addresses()[0];
    flags.format = format;
    if (const auto at = ProgramArgumentsAt(words)) {
      const auto dashes = words.begin() + static_cast<std::ptrdiff_t>(*at);
      flags.program_args.assign(dashes + 1, words.end());
      words.erase(dashes, words.end());
    }
    CLI::App app;
    Command chosen;
    AddRunCommand(&app, &chosen);
    std::reverse(words.begin(), words.end());
    app.parse(std::move(words));
    Invocation invocation(flags, NewClientShared(), std::make_shared<std::atomic<bool>>(false));
    testing::internal::CaptureStdout();
    testing::internal::CaptureStderr();
    const Result<int> code = chosen.run(invocation);
    Ran ran;
    ran.errors = testing::internal::GetCapturedStderr();
    ran.output = testing::internal::GetCapturedStdout();
    if (code.ok()) {
      ran.code = *code;
    } else {
      ran.status = code.status();
    }
    return ran;
  }
  std::shared_ptr<Client> NewClientShared() { return NewClient(0); }
  std::string Read(const std::string& name) {
    Result<std::string> bytes = ReadFile(folder_ + "/" + name);
    return bytes.ok() ? *bytes : "(" + bytes.status().message() + ")";
  }
  std::string In(const std::string& name) const { return folder_ + "/" + name; }

  std::string program_;
};

TEST_F(RunCommandTest, ASingleProgramHasOurOutputAndItsExitCode) {
  const Ran ran = Run(
      {"--stdin", In("a.txt"), "--env", "EXIT=3", "--env", "ERR=oops", "--", "[1,2]", "-n", "{}"});
  EXPECT_EQ(ran.code, 3);
  EXPECT_EQ(ran.output, "[1,2]\n-n\n{}\nof a");
  EXPECT_NE(ran.errors.find("oops"), std::string::npos);
  EXPECT_EQ(ran.errors.find("SUCCEEDED"), std::string::npos);  // nothing but the program's own
}

TEST_F(RunCommandTest, ASingleProgramThatTrapsGives134AndASentence) {
  const Ran ran = Run({"--stdin", "/dev/null", "--env", "TRAP=1"});
  EXPECT_EQ(ran.code, 134);
  EXPECT_NE(ran.errors.find("The program trapped: unreachable"), std::string::npos) << ran.errors;
}

TEST_F(RunCommandTest, EachFileIsAnInstanceWithFilesOfItsOwn) {
  const Ran ran =
      Run({"--each-file", In("*.txt"), "--stdin-from", "{}", "--stdout-to", In("out/{/.}.out"),
           "--output-file", "r.bin", "--output-to", In("out/{/.}.bin"), "--", "{/}"});
  EXPECT_EQ(ran.code, 0) << ran.status.message();
  EXPECT_EQ(ran.output, "");
  EXPECT_EQ(Read("out/b.out"), "b.txt\nof b");
  EXPECT_EQ(Read("out/c.bin"), "file of 2");
  std::set<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(In("out"))) {
    names.insert(entry.path().filename().string());
  }
  EXPECT_EQ(names.size(), 6u);  // nothing but the files that were asked for
}

TEST_F(RunCommandTest, FailuresAreShownAndCounted) {
  ASSERT_TRUE(WriteFile(In("rows.csv"), "name,code,error\nx,0,\ny,2,bad y\n").ok());
  const Ran ran = Run({"--each", In("rows.csv"), "--env", "EXIT={code}", "--env", "ERR={error}",
                       "--stderr-to", In("err/{name}"), "--ordered", "--tag", "--", "{name}"});
  EXPECT_EQ(ran.code, 1);
  EXPECT_EQ(ran.output, "x\tx\ny\ty\n");
  EXPECT_NE(ran.errors.find("[y] exited with 2\n  bad y\n"), std::string::npos) << ran.errors;
  EXPECT_NE(ran.errors.find("exit codes: 1 times 0, 1 times 2"), std::string::npos);
  EXPECT_EQ(Read("err/y"), "bad y");
  EXPECT_EQ(Read("err/x"), "");
}

TEST_F(RunCommandTest, ResumingRunsWhatIsMissing) {
  const Words words = {"--each-file", In("*.txt"), "--stdout-to", In("out/{/}"),
                       "--resume",    "--",        "{#}"};
  EXPECT_NE(Run(words).errors.find("3 of 3 instances"), std::string::npos);
  std::filesystem::remove(In("out/b.txt"));
  const Ran again = Run(words);
  EXPECT_NE(again.errors.find("2 of 3 items are there already"), std::string::npos);
  EXPECT_NE(again.errors.find("1 of 1 instances"), std::string::npos) << again.errors;
  EXPECT_EQ(Read("out/b.txt"), "2\n");  // its number among all
  EXPECT_EQ(Run(words).code, 0);
}

TEST_F(RunCommandTest, AnInstanceThatDidNotEndByItselfIsRunAgain) {
  ASSERT_TRUE(WriteFile(In("rows.csv"), "name,trap\nx,0\ny,1\n").ok());
  const Words words = {"--each",      In("rows.csv"),   "--env",   "TRAP={trap}",
                       "--stdout-to", In("out/{name}"), "--resume"};
  EXPECT_EQ(Run(words).code, 1);
  EXPECT_TRUE(std::filesystem::exists(In("out/x")));
  EXPECT_FALSE(std::filesystem::exists(In("out/y")));
  EXPECT_NE(Run(words).errors.find("1 of 1 instances (1 trapped)"), std::string::npos);
}

TEST_F(RunCommandTest, ARunOfSeveralJobsReadsAsOne) {
  const Ran ran = Run({"--each-file", In("*.txt"), "--job-items", "2", "--ordered", "--tag",
                       "--stdin-from", "{}", "--env", "EXIT={#}", "--", "{#}"});
  EXPECT_EQ(ListJobs(*client_, {}).value().jobs_size(), 2);
  EXPECT_EQ(ran.code, 1);
  const auto part = [this](const std::string& name, const std::string& number) {
    const std::string tag = In(name) + ".txt\t";
    return tag + number + "\n" + tag + "of " + name + "\n";
  };
  EXPECT_EQ(ran.output, part("a", "1") + part("b", "2") + part("c", "3"));
  EXPECT_NE(ran.errors.find("exit codes: 1 times 1, 1 times 2, 1 times 3"), std::string::npos);
}

TEST_F(RunCommandTest, PartsOfARunAreResumedAsOne) {
  ASSERT_TRUE(WriteFile(In("rows.csv"), "name\nx\ny\nz\nu\nv\n").ok());
  const Words words = {"--each",         In("rows.csv"), "--job-items", "2",  "--stdout-to",
                       In("out/{name}"), "--resume",     "--",          "{#}"};
  EXPECT_EQ(Run(words).code, 0);
  EXPECT_EQ(ListJobs(*client_, {}).value().jobs_size(), 3);
  for (const char* name : {"x", "z", "v"}) std::filesystem::remove(In("out/") + name);
  const Ran again = Run(words);
  EXPECT_EQ(again.code, 0);
  EXPECT_NE(again.errors.find("2 of 5 items are there already"), std::string::npos);
  EXPECT_NE(again.errors.find("exit codes: 3 times 0"), std::string::npos) << again.errors;
  EXPECT_EQ(Read("out/x") + Read("out/z") + Read("out/v"), "1\n3\n5\n");
}

TEST_F(RunCommandTest, AnErrorInALaterPartLosesNothingOfThoseBefore) {
  ASSERT_TRUE(WriteFile(In("rows.csv"), "name,to\nx,1\ny,2\nz,1\n").ok());
  Ran ran = Run({"--each", In("rows.csv"), "--job-items", "2", "--stdout-to", In("out/{to}"), "--",
                 "{name}"});
  EXPECT_NE(ran.status.message().find("the item [z] the path [" + In("out/1") +
                                      "], which an item before has"),
            std::string::npos)
      << ran.status.message();
  EXPECT_EQ(Read("out/1") + Read("out/2"), "x\ny\n");
  EXPECT_NE(ran.errors.find("exit codes: 2 times 0"), std::string::npos) << ran.errors;
  ASSERT_TRUE(WriteFile(In("rows.csv"), "name,to\nx,1\ny,2\nz\n").ok());
  ran = Run({"--each", In("rows.csv"), "--job-items", "2", "--", "{name}"}, Format::kJson);
  EXPECT_EQ(ran.status.message(), "Line 4 has [1] fields; the header has [2].");
  EXPECT_TRUE(ran.output.ends_with("\n]}\n")) << ran.output;
}

TEST_F(RunCommandTest, ALongInputIsUploadedOnce) {
  ASSERT_TRUE(WriteFile(In("long"), std::string(100'000, 'x')).ok());
  EXPECT_EQ(Run({"-n", "3", "--job-items", "1", "--stdin", In("long")}).output.size(), 300'000u);
  EXPECT_EQ(GetServerInfo(*client_).value().inputs(), 1u);
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(Run({"-n", "1", "--files", folder_, "--stdin", "/dev/null"}).code, 0);
    EXPECT_EQ(GetServerInfo(*client_).value().inputs(), 2u);
  }
}

TEST_F(RunCommandTest, JsonHasTheItemTheCodeAndTheOutputs) {
  const Ran ran = Run({"-n", "2", "--env", "EXIT=4", "--", "{}"}, Format::kJsonl);
  EXPECT_NE(
      ran.output.find("\"end\":\"EXITED\",\"exit_code\":4,\"outputs\":{\"stdout\":{\"size\":2,"
                      "\"text\":\"1\\n\"}},\"inputs\":{\"item\":1}"),
      std::string::npos)
      << ran.output;
}

TEST_F(RunCommandTest, JsonNamesTheFilesThatOutputsWentTo) {
  ASSERT_TRUE(WriteFile(In("rows.csv"), "name,trap\nx,0\ny,1\n").ok());
  const Ran ran = Run({"--each", In("rows.csv"), "--env", "TRAP={trap}", "--ordered", "--stdout-to",
                       In("out/{name}"), "--stderr-to", In("err/{name}"), "--output-file", "r.bin",
                       "--output-to", In("out/{name}.bin"), "--", "longer"},
                      Format::kJsonl);
  const size_t second = ran.output.find('\n') + 1;
  const std::string of_x = ran.output.substr(0, second), of_y = ran.output.substr(second);
  EXPECT_NE(of_x.find("\"outputs\":{\"stdout\":{\"size\":7,\"file\":\"" + In("out/x") +
                      "\"},\"r.bin\":{\"size\":9,\"file\":\"" + In("out/x.bin") +
                      "\"},\"stderr\":{\"size\":0,\"file\":\"" + In("err/x") + "\"}}"),
            std::string::npos)
      << of_x;
  EXPECT_EQ(Read("out/x"), "longer\n");
  EXPECT_EQ(Read("err/x"), "");
  // An instance that trapped has no files: its line is where its output is.
  EXPECT_NE(of_y.find("\"stdout\":{\"size\":7,\"text\":\"longer\\n\"}"), std::string::npos) << of_y;
  EXPECT_EQ(of_y.find("\"file\""), std::string::npos) << of_y;
}

TEST_F(RunCommandTest, WhatIsWrongIsSaidBeforeAJobRuns) {
  EXPECT_NE(Run({"-n", "2", "--stdout-to", In("same")}).status.message().find("which the item"),
            std::string::npos);
  EXPECT_EQ(Run({"-n", "2", "--resume"}).status.reason(), Reason::kInvalidArgument);
  EXPECT_EQ(Run({"-n", "2", "--output-file", "x"}).status.reason(), Reason::kInvalidArgument);
  EXPECT_EQ(Run({"--each-file", In("*.none")}).status.reason(), Reason::kInvalidArgument);
  EXPECT_EQ(ListJobs(*client_, {}).value().jobs_size(), 0);
}

TEST(RunArguments, WhatStandsBehindTheDashesOfARunIsTheProgramS) {
  EXPECT_EQ(ProgramArgumentsAt({"run", "x", "--", "--", "a"}), 2u);
  EXPECT_EQ(ProgramArgumentsAt({"--addr", "tcp://x", "run", "x", "--"}), 4u);
  EXPECT_FALSE(ProgramArgumentsAt({"run", "x"}));
  EXPECT_FALSE(ProgramArgumentsAt({"job", "run", "x", "--", "y"}));
  EXPECT_FALSE(ProgramArgumentsAt({"module", "push", "--", "run"}));
}

TEST(StrayArguments, WordsWithoutDashesHearWhereTheyGo) {
  CLI::App app;
  Command chosen;
  app.fallthrough();
  AddRunCommand(&app, &chosen);
  EXPECT_THROW(app.parse(Words{"b", "a", "tool.wasm", "run"}), CLI::ExtrasError);
  EXPECT_EQ(StrayArguments(app),
            "The words [a b] stand behind the file without --; the program's arguments go there:\n"
            "  wasmburstctl run tool.wasm -- a b");
  app.parse(Words{"tool.wasm", "run"});
  EXPECT_EQ(StrayArguments(app), std::nullopt);
}

}  // namespace
}  // namespace wb::cli
