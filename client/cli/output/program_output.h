#pragma once

// What programs wrote, as their results come: to files of their own, or to our standard output and
// error.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "client/cli/output/result_json.h"
#include "client/cli/run/item_list.h"
#include "client/cli/run/path_check.h"
#include "client/cli/run/placeholders.h"
#include "compiler/base/status.h"
#include "wasmburst/v1/results.pb.h"

namespace wb::cli {

// The bytes of the output with this name; null: it has none, nothing was written.
const std::string* OutputNamed(const wasmburst::v1::InstanceResult& result,
                               const std::string& name);

// It wrote to standard error that there was no room for what it writes to files.
bool SaysFilesAreFull(const wasmburst::v1::InstanceResult& result);

// How an instance failed: "exited with 3", "trapped: integer divide by zero (...)", with the flags
// that may help. Empty: it returned, or exited with 0. Pure.
std::string FailureText(const wasmburst::v1::InstanceResult& result);

// What a shell gets for one program: its exit code; 134 for a trap, 1 for another end.
int ProgramExitCode(const wasmburst::v1::InstanceResult& result);

// Every line with the tag and a tab before it, as GNU parallel's --tag; the last one ends. Pure.
std::string Tagged(const std::string& text, const std::string& tag);

// Writes a file whole or not at all: under another name first. Folders on the way are made.
// IO_ERROR.
Status WriteWhole(const std::string& path, const std::string& bytes);

struct ProgramOutputOptions {
  std::string stdout_to;  // templates; empty: to our own
  std::string stderr_to;
  std::vector<std::string> output_files;  // paths for the program ...
  std::vector<std::string> output_to;     // ... and for each the template of the file it goes to
  bool tag = false;
};

class ProgramOutput {
 public:
  // `form`: what the items of the run have (ItemReader::form). INVALID_ARGUMENT.
  static Result<ProgramOutput> Plan(const ProgramOutputOptions& options, const ItemList& form);

  // Whether files of different instances are different ones; to be asked for all items, part by
  // part. INVALID_ARGUMENT.
  Status Check(const ItemList& items);
  // Whether the item's file of standard output is there already. False where there is none.
  bool IsDone(const ItemList& items, uint64_t place) const;

  // Of an instance that ended by itself all that goes to files is written there; of others nothing,
  // so that they are run again by --resume. What was written. IO_ERROR.
  Result<OutputPaths> WriteFiles(const wasmburst::v1::InstanceResult& result, const ItemList& items,
                                 uint64_t place) const;
  // What does not go to files, to our standard output and error.
  void PrintResult(const wasmburst::v1::InstanceResult& result, const std::string& item) const;

  bool prints_errors() const { return !errors_; }  // on our standard error

 private:
  struct Written {
    const wasmburst::v1::InstanceResult& result;
    const ItemList& items;
    uint64_t place;
    OutputPaths paths;
  };

  Result<std::optional<Template>> PathsOf(const std::string& text, const std::string& flag,
                                          const ItemList& form);
  static Status WriteOne(const std::string& name, const Template& to, Written* written);

  bool tag_ = false;
  std::optional<Template> output_, errors_;
  std::vector<std::pair<std::string, Template>> files_;
  std::vector<PathCheck> checks_;  // of all templates
};

}  // namespace wb::cli
