#include "client/cli/output/program_output.h"

#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <utility>

#include "client/cli/output/exit_code.h"
#include "client/cli/output/standard_output.h"
#include "client/cli/output/trap_text.h"
#include "client/cli/program/files.h"

namespace wb::cli {
namespace {

namespace v1 = wasmburst::v1;
namespace fs = std::filesystem;

constexpr const char* kStandardOutput = "stdout";
constexpr const char* kStandardError = "stderr";
// Of ENOSPC, as runtimes of C, Rust and Go word it.
constexpr const char* kNoSpace = "o space left on device";
constexpr int kAborted = 134;  // as a shell shows a program that abort() ended
constexpr uint32_t kShownCode = 0xff;

Status NotWritten(const std::string& path, const std::string& why) {
  return Status(Reason::kIoError, "The file [" + path + "] cannot be written (" + why + ").",
                {{"file", path}});
}

bool EndedByItself(const v1::InstanceResult& result) {
  return result.end() == v1::RETURNED || result.end() == v1::EXITED;
}

}  // namespace

const std::string* OutputNamed(const v1::InstanceResult& result, const std::string& name) {
  for (const v1::Output& output : result.outputs()) {
    if (output.name() == name) return &output.data();
  }
  return nullptr;
}

bool SaysFilesAreFull(const v1::InstanceResult& result) {
  const std::string* errors = OutputNamed(result, kStandardError);
  return errors != nullptr && errors->find(kNoSpace) != std::string::npos;
}

std::string FailureText(const v1::InstanceResult& result) {
  const std::string hint =
      SaysFilesAreFull(result) ? "; its files are full, --scratch and --memory allow more" : "";
  switch (result.end()) {
    case v1::RETURNED: return "";
    case v1::EXITED:
      if (result.exit_code() == 0) return "";
      return "exited with " + std::to_string(result.exit_code()) + hint;
    case v1::TRAPPED: return "trapped: " + TrapText(result.trap()) + hint;
    case v1::OUT_OF_FUEL: return "ran out of fuel; --fuel allows more";
    case v1::OUTPUT_LIMIT: return "wrote more than its limit; --output-limit allows more";
    default: return "ended " + v1::End_Name(result.end());
  }
}

int ProgramExitCode(const v1::InstanceResult& result) {
  if (result.end() == v1::RETURNED) return 0;
  if (result.end() == v1::EXITED) return static_cast<int>(result.exit_code() & kShownCode);
  return result.end() == v1::TRAPPED ? kAborted : kJobFailed;
}

std::string Tagged(const std::string& text, const std::string& tag) {
  std::string tagged;
  for (size_t at = 0; at < text.size();) {
    const size_t end = text.find('\n', at);
    const size_t next = end == std::string::npos ? text.size() : end + 1;
    tagged += tag + "\t" + text.substr(at, next - at);
    at = next;
  }
  if (!tagged.empty() && !tagged.ends_with('\n')) tagged += '\n';
  return tagged;
}

Status WriteWhole(const std::string& path, const std::string& bytes) {
  std::error_code error;
  const fs::path folder = fs::path(path).parent_path();
  if (!folder.empty()) fs::create_directories(folder, error);
  if (error) return NotWritten(path, error.message());
  const std::string part = path + ".part-" + std::to_string(getpid());
  const Status written = WriteFile(part, bytes);
  if (written.ok()) fs::rename(part, path, error);
  if (written.ok() && !error) return {};
  std::error_code ignored;
  fs::remove(part, ignored);
  return written.ok() ? NotWritten(path, error.message()) : written;
}

Result<std::optional<Template>> ProgramOutput::PathsOf(const std::string& text,
                                                       const std::string& flag,
                                                       const ItemList& form) {
  std::optional<Template> paths;
  if (text.empty()) return paths;
  WB_ASSIGN(paths, Template::Parse(text, form));
  checks_.emplace_back(*paths, flag);
  return paths;
}

Result<ProgramOutput> ProgramOutput::Plan(const ProgramOutputOptions& options,
                                          const ItemList& form) {
  ProgramOutput output;
  output.tag_ = options.tag;
  WB_ASSIGN(output.output_, output.PathsOf(options.stdout_to, "--stdout-to", form));
  WB_ASSIGN(output.errors_, output.PathsOf(options.stderr_to, "--stderr-to", form));
  if (options.output_files.size() != options.output_to.size()) {
    return Status(Reason::kInvalidArgument,
                  "There are [" + std::to_string(options.output_files.size()) +
                      "] --output-file and [" + std::to_string(options.output_to.size()) +
                      "] --output-to; give them in pairs.");
  }
  for (size_t i = 0; i < options.output_to.size(); ++i) {
    WB_ASSIGN(std::optional<Template> paths,
              output.PathsOf(options.output_to[i], "--output-to", form));
    if (paths) output.files_.emplace_back(options.output_files[i], std::move(*paths));
  }
  return output;
}

Status ProgramOutput::Check(const ItemList& items) {
  for (PathCheck& check : checks_) WB_TRY(check.Add(items));
  return {};
}

bool ProgramOutput::IsDone(const ItemList& items, uint64_t place) const {
  std::error_code error;
  return output_ && fs::exists(output_->At(items, place), error);
}

Status ProgramOutput::WriteOne(const std::string& name, const Template& to, Written* written) {
  const std::string* bytes = OutputNamed(written->result, name);
  std::string& path = written->paths[name] = to.At(written->items, written->place);
  return WriteWhole(path, bytes == nullptr ? "" : *bytes);
}

Result<OutputPaths> ProgramOutput::WriteFiles(const v1::InstanceResult& result,
                                              const ItemList& items, uint64_t place) const {
  Written written = {result, items, place, {}};
  if (!EndedByItself(result)) return written.paths;
  for (const auto& [path, to] : files_) {
    if (OutputNamed(result, path) != nullptr) WB_TRY(WriteOne(path, to, &written));
  }
  if (errors_) WB_TRY(WriteOne(kStandardError, *errors_, &written));
  // Last: where it is there, all is.
  if (output_) WB_TRY(WriteOne(kStandardOutput, *output_, &written));
  return std::move(written.paths);
}

void ProgramOutput::PrintResult(const v1::InstanceResult& result, const std::string& item) const {
  const std::string* printed = output_ ? nullptr : OutputNamed(result, kStandardOutput);
  if (printed != nullptr) Print(tag_ ? Tagged(*printed, item) : *printed);
  const std::string* errors = errors_ ? nullptr : OutputNamed(result, kStandardError);
  if (errors == nullptr) return;
  const std::string text = tag_ ? Tagged(*errors, item) : *errors;
  std::fwrite(text.data(), 1, text.size(), stderr);
}

}  // namespace wb::cli
