#pragma once

// The page's files, which the build makes of daemon/page/web.

#include <cstdint>
#include <span>

namespace wb {

struct PageFile {
  const char* path;  // "/", "/assets/index-1a2b3c4d.js"
  const char* type;
  const char* etag;  // with its quotes
  std::span<const uint8_t> gzip;
};

// Empty: the daemon was built without the page.
std::span<const PageFile> PageFiles();

}  // namespace wb
