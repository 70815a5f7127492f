#pragma once

// From what the user wrote to a Job: --call with --arg and --read, or a program file.

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "client/cli/program/input_columns.h"
#include "compiler/base/status.h"
#include "wasmburst/v1/jobs.pb.h"
#include "wasmburst/v1/modules.pb.h"

namespace wb::cli {

// The schema of --program, for --help and README.
extern const char* const kProgramSchema;

struct ProgramOptions {
  std::string call;               // export
  std::vector<std::string> args;  // arg_spec.h
  // "NAME=LENGTH": bytes at the call's first result; "NAME=zero:MOST": those before the first zero.
  std::vector<std::string> reads;
  std::string program;                                  // JSON text, instead of the three above
  std::map<std::string, wasmburst::v1::Module> linked;  // whose exports it may call, by name
  std::optional<uint64_t> instances;                    // else the longest column's length, or 1
  // A file for each instance (each_file.h). With `call` its bytes are written where `alloc` of
  // their length says, or at the address `write_at`, and `call` takes pointer and length before
  // `args`.
  std::optional<ArgSpec> files;
  std::string alloc;
  std::string write_at;
};

// Fills steps, columns and instances; adds to `inputs` what the job's columns and constants are
// called. INVALID_ARGUMENT, ENTRY_POINT_NOT_FOUND, SIGNATURE_MISMATCH, IO_ERROR.
Result<wasmburst::v1::Job> BuildJob(const ProgramOptions& options,
                                    const wasmburst::v1::Module& module,
                                    std::vector<InputColumn>* inputs = nullptr);

// ENTRY_POINT_NOT_FOUND with the exports listed.
Result<wasmburst::v1::ModuleExport> FindFunction(const wasmburst::v1::Module& module,
                                                 const std::string& name);

// --program's half; program_file.cc.
Result<wasmburst::v1::Job> ParseProgram(const ProgramOptions& options,
                                        const wasmburst::v1::Module& module,
                                        std::vector<InputColumn>* inputs);
// The column of files and the steps that put it into memory, for `call`: the first ones of a job;
// call_file.cc.
Status AddFileSteps(const ProgramOptions& options, const wasmburst::v1::Module& module,
                    wasmburst::v1::Job* job);
// Pointer and length of the file as a call's first arguments, which `function` must take.
Status AddFileArguments(const wasmburst::v1::ModuleExport& function, const wasmburst::v1::Job& job,
                        wasmburst::v1::CallStep* call);

// A read step of --read's text ("NAME=LENGTH", "NAME=zero:MOST") at a pointer. INVALID_ARGUMENT.
Status AddRead(const std::string& text, const wasmburst::v1::Operand& pointer,
               wasmburst::v1::Job* job);

// The name of an input for people: its column's in the file it comes from, or its place.
std::string InputName(const ArgSpec& spec, size_t place);

// "run(i64, i32)".
std::string SignatureText(const wasmburst::v1::ModuleExport& function);

}  // namespace wb::cli
