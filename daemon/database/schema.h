#pragma once

// The tables of the store's database, and the version of them that a file has.

#include <string>

#include "daemon/database/database.h"

namespace wb {

// Makes the tables of an empty database, and sets up a connection that writes. CONFIG_INVALID: the
// file is of a newer daemon, or no store of ours.
Status OpenSchema(Database* database, const std::string& path);

}  // namespace wb
