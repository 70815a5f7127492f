#pragma once

// A folder that goes with the test.

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace wb {

class ScratchFolder {
 public:
  ScratchFolder() {
    char folder[] = "/tmp/wb_identity_XXXXXX";
    EXPECT_NE(mkdtemp(folder), nullptr);
    folder_ = folder;
  }
  ~ScratchFolder() { std::filesystem::remove_all(folder_); }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;

  std::string Path(const std::string& name) const { return folder_ + "/" + name; }
  // Replaces it. Its path.
  std::string Write(const std::string& name, const std::string& text, mode_t mode = 0644) const {
    std::ofstream(Path(name), std::ios::binary | std::ios::trunc) << text;
    chmod(Path(name).c_str(), mode);
    return Path(name);
  }
  std::string Read(const std::string& name) const {
    std::ifstream stream(Path(name), std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>());
  }
  unsigned Mode(const std::string& name) const {
    struct stat known = {};
    return stat(Path(name).c_str(), &known) == 0 ? known.st_mode & 07777 : 0;
  }

 private:
  std::string folder_;
};

}  // namespace wb
