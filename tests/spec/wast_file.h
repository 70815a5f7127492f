#pragma once

// A .wast script of the suite on disk: converted by wast2json into a folder of its own.

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "compiler/base/bytes.h"
#include "compiler/base/status.h"
#include "compiler/wasm/module.h"
#include "tests/spec/script.h"

namespace wb::spec {

// A folder that disappears with the object.
class TemporaryFolder {
 public:
  static Result<TemporaryFolder> Make();
  TemporaryFolder(TemporaryFolder&& other) noexcept;
  TemporaryFolder& operator=(TemporaryFolder&& other) noexcept;
  ~TemporaryFolder();
  const std::filesystem::path& path() const { return path_; }

 private:
  explicit TemporaryFolder(std::filesystem::path path) : path_(std::move(path)) {}
  std::filesystem::path path_;
};

struct WastFile {
  std::string name;              // "address", "tail-call/return_call"
  std::filesystem::path folder;  // holds the modules that the script's commands name
  Script script;
  Proposals proposals = Proposals::None();  // what its modules may use
};

// Converts and reads. Those of a proposal may use all proposals that are read. Errors: IO_ERROR
// (wast2json missing or refusing, with its first line).
Result<WastFile> OpenWast(const std::filesystem::path& wast,
                          const std::filesystem::path& work_folder, bool of_proposal = false);

Result<Bytes> ReadFileBytes(const std::filesystem::path& path);

// The suite's folder: `given`, else $WASMBURST_TESTSUITE, else shared/testsuite beside the source
// tree; each with or without core/. Nothing when there is no suite.
std::optional<std::filesystem::path> FindSuite(const std::string& given);

// The names of its scripts, sorted: 146 in version 2.0.
std::vector<std::string> ScriptNames(const std::filesystem::path& suite);

// The folder of the scripts of proposals, and the names of those whose proposals are read, sorted;
// but one that wast2json 1.0.32 cannot convert (it has an operator that was given up).
std::filesystem::path ProposalsFolder(const std::filesystem::path& suite);
std::vector<std::string> ProposalScriptNames(const std::filesystem::path& folder);

}  // namespace wb::spec
