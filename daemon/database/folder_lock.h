#pragma once

// FolderLock: this process alone uses a folder. The lock goes with the process, however it ends.

#include <memory>
#include <string>

#include "compiler/base/status.h"
#include "scheduler/base/disk_file.h"

namespace wb {

class FolderLock {
 public:
  // Makes the folder (0700) if it is missing. CONFIG_INVALID: another process has it. IO_ERROR,
  // MACHINE_FAULT.
  static Result<std::unique_ptr<FolderLock>> Take(const std::string& folder);

 private:
  explicit FolderLock(const std::string& path);
  const DiskFile file_;
};

}  // namespace wb
