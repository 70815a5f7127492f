#pragma once

// A job's results, printed and kept as they come.

#include <optional>
#include <string>
#include <vector>

#include "client/cli/invocation/invocation.h"
#include "client/cli/output/output_texts.h"
#include "client/cli/program/input_columns.h"

namespace CLI {
class App;
}

namespace wb::cli {

// Where results go; of run and results.
struct ResultOptions {
  std::string cursor;
  bool follow = false;
  bool no_results = false;
  bool ordered = false;
  std::string show_output;  // "hex", "text", "base64"; empty: by the format
  std::vector<std::string> columns;
  std::string out;
  std::string name_by;
  std::vector<std::string> concats;
  std::string report;
  OutputTexts texts;                 // what the job declares to be text
  bool cancels = false;              // the job is cancelled when standard output takes no more
  std::vector<InputColumn> inputs;   // those of `columns`, set by ChooseShownInputs
  std::optional<InputColumn> names;  // the one of `name_by`

  bool in_files() const { return !out.empty() || !concats.empty(); }
};

// Sets `inputs` and `names` from what a job's inputs are called. Before the job is submitted.
// INVALID_ARGUMENT, IO_ERROR.
Status ChooseShownInputs(const std::vector<InputColumn>& known, uint64_t instances,
                         ResultOptions* options);

// Whether the files that the options name can be written. Before a job is submitted. IO_ERROR.
Status CheckTargets(const ResultOptions& options);

void AddResultOptions(CLI::App* command, ResultOptions* options);  // of run and results
void AddInputOptions(CLI::App* command, ResultOptions* options);   // of run, which knows inputs

// Says how a job has ended: its summary, or with -q only why it failed, if it did.
void TellEnd(const Invocation& invocation, const wasmburst::v1::Job& job);

// To the exit code: what the job came to, where it was read to its end. `options.texts` are set.
Result<int> ReadResults(Invocation& invocation, const std::string& name,
                        const ResultOptions& options);

}  // namespace wb::cli
