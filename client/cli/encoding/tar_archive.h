#pragma once

// Files as one .tar.gz. Pure.

#include <cstdint>
#include <string>
#include <vector>

namespace wb::cli {

struct ArchiveFile {
  std::string name;  // up to 100 bytes: "folder/file"
  std::string bytes;
};

// POSIX ustar in gzip, whose blocks are stored as they are: what goes in is short. `time` is of all
// files, in seconds since 1970.
std::string TarGz(const std::vector<ArchiveFile>& files, int64_t time);

}  // namespace wb::cli
