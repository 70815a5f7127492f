#pragma once

// A state folder from the archive of a backup (backup_format.h).

#include <string>

#include "compiler/base/status.h"

namespace wb {

// The archive is read twice: first its digest is looked at, and nothing is written until that is
// right. Then every name, length and blob's digest. Memory: one piece. All of it is on the disk
// when this returns, and on an error nothing of it. `folder` holds no state, and no daemon uses it:
// else CONFIG_INVALID, as for a file that is no backup. BLOB_CORRUPT: it is damaged or cut.
// NOSPACE, IO_ERROR.
Status RestoreArchive(const std::string& file, const std::string& folder);

}  // namespace wb
