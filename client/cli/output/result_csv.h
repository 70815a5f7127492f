#pragma once

// Results as CSV (RFC 4180, lines end in "\n"): a header, a row for each instance. Pure.
//
// Columns: instance, end, fuel, device; inputs that are shown; the values of calls; outputs by
// name; trap. Values of the one call that has results are "result", or "result0", "result1"; of
// several calls "FUNCTION" or "FUNCTION.0", where a function is called twice "STEP.FUNCTION".

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "client/cli/output/print.h"
#include "compiler/base/status.h"
#include "wasmburst/v1/jobs.pb.h"
#include "wasmburst/v1/modules.pb.h"

namespace wb::cli {

class ResultCsv {
 public:
  // The steps of `job`; `modules` by their names in calls, "" is the job's own. NOT_FOUND where a
  // call's function is in none of them.
  static Result<ResultCsv> Plan(const wasmburst::v1::Job& job,
                                const std::map<std::string, wasmburst::v1::Module>& modules,
                                ResultShown shown);

  std::string Header() const;
  std::string Row(const wasmburst::v1::InstanceResult& result) const;

 private:
  struct Value {
    std::string name;
    int step = 0;
    int result = 0;
  };

  explicit ResultCsv(ResultShown shown) : shown_(std::move(shown)) {}
  void AddValues(const std::string& name, int step, int results);

  ResultShown shown_;
  std::vector<Value> values_;
  std::vector<std::string> outputs_;
};

// In quotes where it needs them.
std::string CsvField(const std::string& text);

}  // namespace wb::cli
