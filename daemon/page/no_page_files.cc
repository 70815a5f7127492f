// Of a build without node and npm.
#include "daemon/page/page_files.h"

namespace wb {

std::span<const PageFile> PageFiles() { return {}; }

}  // namespace wb
