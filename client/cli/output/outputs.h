#pragma once

// Where the outputs of instances go: files of their own, and files in instance order.

#include <cstdint>
#include <fstream>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "client/cli/program/input_columns.h"
#include "compiler/base/status.h"
#include "wasmburst/v1/results.pb.h"

namespace wb::cli {

// One output of all instances, one after the other in instance order, in one file. Results come
// in any order; pieces that are early wait in memory.
class ConcatFile {
 public:
  ConcatFile(std::string output, std::string path);
  // IO_ERROR; NOT_FOUND when the instance has returned without such an output.
  Status Add(const wasmburst::v1::InstanceResult& result);
  // Writes what waits behind missing instances.
  Status Finish();
  uint64_t missing() const { return missing_; }  // instances without the output

 private:
  Status Write(const std::string& bytes);

  const std::string output_;
  const std::string path_;
  std::ofstream stream_;
  uint64_t next_ = 0;
  uint64_t missing_ = 0;
  std::map<uint64_t, std::string> early_;
};

class OutputFiles {
 public:
  // `folder`: files FOLDER/INSTANCE.NAME, none if empty; it is made if needed. `concats`:
  // "NAME=FILE". INVALID_ARGUMENT, IO_ERROR.
  Status Open(const std::string& folder, const std::vector<std::string>& concats);
  // FileNameAt of a column instead of INSTANCE; CheckFileNames has passed it.
  void NameBy(InputColumn column) { named_by_ = std::move(column); }
  Status Add(const wasmburst::v1::InstanceResult& result);
  Status Finish();
  bool any() const { return !folder_.empty() || !concats_.empty(); }
  uint64_t missing() const;

 private:
  std::string folder_;
  std::optional<InputColumn> named_by_;
  std::vector<std::unique_ptr<ConcatFile>> concats_;
};

}  // namespace wb::cli
