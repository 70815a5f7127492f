#pragma once

// Working folders that dead processes left.

#include <cstdint>
#include <string>

namespace wb {

// Removes the folders of PrivateFolder in `parent` (empty: the temporary folder) that this user
// owns and whose owner lives no more: their lock can be taken, or, where one has none, nothing was
// changed in it for a day. Links are not followed. Returns how many. Any thread.
uint64_t RemoveLeftFolders(const std::string& parent);

}  // namespace wb
