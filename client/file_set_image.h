#pragma once

// FileSetImage: many files as one string of bytes, which programs read as a tree of folders
// (docs/file-set.md). The same files give the same bytes, in whatever order they were added. Names
// and places are held, the files' bytes are not.
// Threads: none of its own.

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>

#include "client/input_source.h"
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

  // Hands over the `bytes` bytes of the file, and ends with the first error of `take`.
  using ReadFile =
      std::function<Status(const std::string& path, uint64_t bytes, const TakePart& take)>;
  // Hands over the image; calls `read` for each file, in the order of the image. The first error of
  // either; IO_ERROR where a file gives more bytes than it was added with, or fewer.
  Status Write(const ReadFile& read, const TakePart& take) const;

 private:
  struct Node;
  struct Layout;
  Result<Node*> FolderOf(const std::string& path, std::string* name);
  Layout LayOut() const;
  static std::string IndexOf(const Layout& layout);

  std::unique_ptr<Node> root_;
};

}  // namespace wb
