#pragma once

// Results on standard output, in the form that was asked for.

#include <optional>
#include <utility>
#include <vector>

#include "client/cli/output/print.h"
#include "client/cli/output/result_csv.h"
#include "client/cli/output/result_json.h"

namespace wb::cli {

class ResultPrinter {
 public:
  ResultPrinter(Format format, ResultShown shown);

  // What comes before the first result. `csv`: of the job, with -o csv.
  void Begin(std::optional<ResultCsv> csv);
  // Of the results that come next, in the place of those shown before.
  void ShowInputs(std::vector<InputColumn> inputs) { shown_.inputs = std::move(inputs); }
  // `in_files`: outputs that JSON names the files of, instead of showing them.
  void PrintResult(const wasmburst::v1::InstanceResult& result, const OutputPaths& in_files = {});
  // `job`: at its end, if it has come; with -o json it stands behind the results.
  void Finish(const wasmburst::v1::Job* job);

 private:
  const Format format_;
  ResultShown shown_;
  std::optional<ResultCsv> csv_;
  bool began_ = false;
  bool first_ = true;
};

}  // namespace wb::cli
