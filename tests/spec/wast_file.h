#pragma once

// A .wast script of the suite on disk: converted by wast2json into a folder of its own.

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "compiler/base/bytes.h"
#include "compiler/base/status.h"
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
  std::string name;              // "address"
  std::filesystem::path folder;  // holds the modules that the script's commands name
  Script script;
};

// Converts and reads. Errors: IO_ERROR (wast2json missing or refusing, with its first line).
Result<WastFile> OpenWast(const std::filesystem::path& wast,
                          const std::filesystem::path& work_folder);

Result<Bytes> ReadFileBytes(const std::filesystem::path& path);

// The suite's folder: `given`, else $WASMBURST_TESTSUITE, else shared/testsuite beside the source
// tree; each with or without core/. Nothing when there is no suite.
std::optional<std::filesystem::path> FindSuite(const std::string& given);

// The names of its scripts, sorted: 146 in version 2.0.
std::vector<std::string> ScriptNames(const std::filesystem::path& suite);

}  // namespace wb::spec
