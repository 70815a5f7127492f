#include "daemon/translate/translate_command.h"

#include <gtest/gtest.h>

#include <string>

#include "daemon/config/default_config.h"
#include "daemon/translate/system_configuration.h"
#include "daemon/translate/translate_job.h"
#include "wasmburst/v1/jobs.pb.h"

namespace wb {
namespace {

namespace v1 = wasmburst::v1;

std::string Text(const ParsedJob& job, uint32_t input, uint64_t instance) {
  return std::string(AsText(job.columns[job.request.input_columns[input]].BytesAt(instance)));
}

// Two instances: `prog {column}`, NAME=value, an own file and an output file.
v1::Job Program() {
  v1::Job job;
  job.set_instances(2);
  for (const char* text : {"one", "two"}) job.add_columns()->mutable_bytes()->add_values(text);
  job.mutable_columns(0)->mutable_bytes()->add_values("other");
  job.mutable_columns(1)->mutable_bytes()->add_values("another");
  v1::Command* command = job.mutable_command();
  command->add_args()->set_constant("prog");
  command->add_args()->set_column(0);
  command->add_environment()->set_constant("NAME=value");
  command->mutable_standard_input()->set_column(1);
  v1::OwnFile* file = command->add_own_files();
  file->mutable_path()->set_constant("in.txt");
  file->mutable_data()->set_column(0);
  command->add_output_files("out/result.bin");
  command->set_seed(0x1122334455667788);
  command->mutable_clock_start()->set_seconds(1);
  command->mutable_clock_start()->set_nanos(2);
  return job;
}

std::string FieldOf(const v1::Job& job) {
  const Status status = JobFromProto(job, DefaultConfig()).status();
  for (const Detail& detail : status.details()) {
    if (detail.key == "field") return detail.value;
  }
  return status.message();
}

TEST(TranslateCommand, InputsStandInTheOrderThatTheSystemLayerReads) {
  const ParsedJob job = JobFromProto(Program(), DefaultConfig()).value();
  EXPECT_TRUE(job.request.has_command);
  ASSERT_EQ(job.request.input_columns.size(), 8u);
  EXPECT_EQ(Text(job, kStandardInput, 0), "two");
  EXPECT_EQ(Text(job, kStandardInput, 1), "another");
  EXPECT_EQ(Text(job, kFiles, 1), "");
  EXPECT_EQ(Text(job, kFirstArgument, 1), "prog");
  EXPECT_EQ(Text(job, kFirstArgument + 1, 1), "other");
  EXPECT_EQ(Text(job, kFirstArgument + 2, 0), "NAME=value");
  EXPECT_EQ(Text(job, kFirstArgument + 3, 0), "in.txt");
  EXPECT_EQ(Text(job, kFirstArgument + 4, 0), "one");
  EXPECT_EQ(job.request.streams, (std::vector<std::string>{"stdout", "stderr", "out/result.bin"}));
}

TEST(TranslateCommand, TheConfigurationIsPackedLittleEndFirst) {
  const ParsedJob job = JobFromProto(Program(), DefaultConfig()).value();
  const std::string bytes = Text(job, kConfiguration, 0);
  std::string expected("\1\0\0\0\2\0\0\0\1\0\0\0\1\0\0\0", 16);
  expected += std::string("\2\xca\x9a\x3b\0\0\0\0\x88\x77\x66\x55\x44\x33\x22\x11", 16);
  expected += std::string("\0\0\0\1\2\0\0\0", 8);  // 16 MiB; no file set
  expected += std::string("\1\0\0\0\1\0\0\0/\0\0\0\0", 13);
  expected += std::string("\1\0\0\0\x0e\0\0\0out/result.bin", 22);
  EXPECT_EQ(bytes, expected);
}

TEST(TranslateCommand, DrawNumbersAreTheLastInput) {
  v1::Job program = Program();
  program.mutable_command()->mutable_draw_numbers()->set_column(1);
  const ParsedJob job = JobFromProto(program, DefaultConfig()).value();
  ASSERT_EQ(job.request.input_columns.size(), 9u);
  EXPECT_EQ(Text(job, 8, 1), "another");
  EXPECT_EQ(Text(job, kConfiguration, 0)[36], 2 | 4);
  program.mutable_command()->mutable_draw_numbers()->set_column(9);
  EXPECT_EQ(FieldOf(program), "job.command.draw_numbers.column");
}

TEST(TranslateCommand, AJobWithoutStepsCallsStartAndThenFinish) {
  const ParsedJob job = JobFromProto(Program(), DefaultConfig()).value();
  ASSERT_EQ(job.request.steps.size(), 2u);
  EXPECT_EQ(std::get<CallStep>(job.request.steps[0]).function, "_start");
  EXPECT_EQ(std::get<CallStep>(job.request.steps[1]).function, "finish");
  EXPECT_EQ(std::get<CallStep>(job.request.steps[1]).instance, kSystemModule);
  v1::Job reactor = Program();
  reactor.add_steps()->mutable_call()->set_function("_initialize");
  reactor.add_steps()->mutable_call()->set_function("work");
  const ParsedJob parsed = JobFromProto(reactor, DefaultConfig()).value();
  ASSERT_EQ(parsed.request.steps.size(), 3u);
  EXPECT_EQ(std::get<CallStep>(parsed.request.steps[2]).function, "finish");
}

TEST(TranslateCommand, AModuleThatImportsWasiHasACommandWithoutBeingGivenOne) {
  v1::Job job;
  job.set_instances(1);
  EXPECT_EQ(FieldOf(job), "job.steps");
  const ParsedJob parsed = JobFromProto(job, DefaultConfig(), NoInputs, true).value();
  EXPECT_TRUE(parsed.request.has_command);
  EXPECT_EQ(parsed.request.input_columns.size(), 3u);
  EXPECT_EQ(Text(parsed, kConfiguration, 0)[36], 3);  // neither standard input nor files
}

TEST(TranslateCommand, AModuleMayReadColumnsAsItsInputs) {
  v1::Job job = Program();
  job.clear_command();
  job.add_steps()->mutable_call()->set_function("f");
  job.add_inputs(1);
  job.add_inputs(0);
  const ParsedJob parsed = JobFromProto(job, DefaultConfig()).value();
  EXPECT_FALSE(parsed.request.has_command);
  EXPECT_EQ(parsed.request.input_columns, (std::vector<uint32_t>{1, 0}));
  EXPECT_EQ(parsed.request.steps.size(), 1u);
  job.add_inputs(2);
  EXPECT_EQ(FieldOf(job), "job.inputs[2]");
  *job.mutable_command() = Program().command();
  EXPECT_EQ(FieldOf(job), "job.inputs");
}

TEST(TranslateCommand, WhatIsWrongIsNamedByItsField) {
  const auto field_of = [](auto&& change) {
    v1::Job job = Program();
    change(&job);
    return FieldOf(job);
  };
  EXPECT_EQ(field_of([](v1::Job* job) {
              for (int i = 0; i < 1023; ++i) job->mutable_command()->add_args()->set_constant("x");
            }),
            "job.command.args");
  EXPECT_EQ(field_of([](v1::Job* job) { job->mutable_command()->add_args(); }),
            "job.command.args[2]");
  EXPECT_EQ(field_of([](v1::Job* job) {
              job->mutable_command()->add_args()->set_constant(std::string("a\0b", 3));
            }),
            "job.command.args[2]");
  EXPECT_EQ(field_of([](v1::Job* job) { job->mutable_command()->add_args()->set_column(9); }),
            "job.command.args[2].column");
  EXPECT_EQ(field_of([](v1::Job* job) {
              job->mutable_command()->add_environment()->set_constant("novalue");
            }),
            "job.command.environment[1]");
  EXPECT_EQ(field_of([](v1::Job* job) {
              job->add_columns()->mutable_constant()->set_i32(1);
              job->mutable_command()->mutable_files()->set_column(2);
            }),
            "job.command.files.column");
  EXPECT_EQ(
      field_of([](v1::Job* job) { job->mutable_command()->add_output_files("out/result.bin"); }),
      "job.command.output_files[1]");
  EXPECT_EQ(field_of([](v1::Job* job) { job->mutable_command()->add_output_files("stdout"); }),
            "job.command.output_files[1]");
  EXPECT_EQ(field_of([](v1::Job* job) { job->mutable_command()->add_output_files(""); }),
            "job.command.output_files[1]");
  EXPECT_EQ(field_of([](v1::Job* job) {
              job->mutable_command()->mutable_clock_start()->set_seconds(-1);
            }),
            "job.command.clock_start");
  EXPECT_EQ(field_of([](v1::Job* job) {
              job->add_linked()->set_name(kSystemModule);
              job->mutable_linked(0)->set_module("modules/sha256:" + std::string(64, '0'));
            }),
            "job.linked");
}

}  // namespace
}  // namespace wb
