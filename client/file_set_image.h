#pragma once

// FileSetImage: many files as one string of bytes, which programs read as a tree of folders
// (docs/file-set.md). The same files give the same bytes, in whatever order they were added.
// Threads: none of its own.

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>

#include "compiler/base/status.h"

namespace wb {

class FileSetImage {
 public:
  FileSetImage();
  ~FileSetImage();

  // A path is "folder/name", without "." and "..", and not absolute. Folders on the way are made.
  // INVALID_ARGUMENT for another path, and for one that is there already.
  Status AddFile(const std::string& path, uint64_t bytes, uint64_t mtime_ns = 0);
  // Adding a folder again changes nothing.
  Status AddFolder(const std::string& path, uint64_t mtime_ns = 0);

  uint64_t size() const;  // of the image, in bytes

  // Writes `bytes` bytes of the file to `to`.
  using ReadFile = std::function<Status(const std::string& path, char* to, uint64_t bytes)>;
  // Calls `read` for each file, in the order of the image. What it answers.
  Result<std::string> Write(const ReadFile& read) const;

 private:
  struct Node;
  struct Layout;
  Result<Node*> FolderOf(const std::string& path, std::string* name);
  Layout LayOut() const;

  std::unique_ptr<Node> root_;
};

}  // namespace wb
