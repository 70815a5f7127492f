#pragma once

// Small files that outlive the daemon. Written whole: beside the old one, flushed, renamed, so that
// after a crash there is the old one or the new one.
//
// Threads: any; one writer of a file at a time.

#include <optional>
#include <string>
#include <string_view>

#include "compiler/base/status.h"
#include "scheduler/base/disk_calls.h"

namespace wb {

// nullopt: there is none. IO_ERROR: it cannot be read, is not a plain file of this user, or has
// more than 64 KiB.
Result<std::optional<std::string>> ReadStateFile(const std::string& path);

// Makes the folder (0700) if there is none; a link in its place is not followed. IO_ERROR,
// MACHINE_FAULT; then the old file is still there.
Status WriteStateFile(const std::string& folder, const std::string& name, std::string_view text,
                      const DiskCalls& disk = SystemDisk());

}  // namespace wb
