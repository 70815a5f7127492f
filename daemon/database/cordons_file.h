#pragma once

// Operators' orders to devices as daemons before version 3 of the database (schema.h) kept them: a
// file "cordons" in the state folder, a line for each closed device, and a digest. Read once, when
// the database is made new; it stays beside the copy of the older one.

#include <string>
#include <vector>

#include "compiler/base/status.h"
#include "daemon/database/registry_rows.h"

namespace wb {

// None, where there is no such file, and where it is damaged: the log says so. IO_ERROR: it is
// there and cannot be read.
Result<std::vector<CordonRow>> ReadCordonsFile(const std::string& folder);

}  // namespace wb
