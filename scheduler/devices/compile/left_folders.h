#pragma once

// Working folders that dead processes left.

#include <cstdint>
#include <string>

namespace wb {

// Removes the folders of PrivateFolder in `parent` (empty: the temporary folder) that this user
// owns and whose owner is dead. The owner is dead if the folder's lock can be taken, or, where
// there is no lock, if nothing was changed in the folder for a day. Links are not followed. Returns
// how many were removed. Any thread.
uint64_t RemoveLeftFolders(const std::string& parent);

}  // namespace wb
