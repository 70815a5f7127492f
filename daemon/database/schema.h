#pragma once

// The tables of the store's database, and the version of them that a file has.

#include <string>

#include "daemon/database/database.h"

namespace wb {

// Makes the tables of an empty database, and sets up a connection that writes. An older version is
// made the present one, after a copy of it was flushed beside it ("state.db.version1"). Its orders
// to devices are taken from the file "cordons" of the same folder, which stays (cordons_file.h).
// CONFIG_INVALID: the file is of a newer daemon, or no store of ours; NOSPACE, IO_ERROR: nothing
// was changed.
Status OpenSchema(Database* database, const std::string& path);

// Writes the present version, which may be there already, within a transaction.
Status WriteVersion(Database* database);

}  // namespace wb
