#pragma once

// The file operations of the pipeline cache: small, total, and never following a link out of it.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "compiler/base/bytes.h"
#include "compiler/base/status.h"

namespace wb {

struct CacheFile {
  std::string name;
  uint64_t bytes = 0;        // blocks on disk
  int64_t used_unix_ns = 0;  // modification time, which a use sets
};

// CACHEDIR.TAG, which tells backup programs to leave the directory out.
void WriteCacheTag(const std::string& directory);

// A regular file as a whole; its modification time becomes now. nullopt: there is none or the
// machine cannot open it now (`missing` says so), or it is no readable regular file of this user.
std::optional<Bytes> ReadAndTouch(const std::string& path, bool* missing);

// The first bytes of a regular file and its length.
struct FileBegin {
  Bytes begin;
  uint64_t file_bytes = 0;
};
std::optional<FileBegin> ReadBegin(const std::string& path, size_t bytes);

// `parts` one after another in a new file, flushed to disk. False with errno when that failed.
bool WriteNew(const std::string& path, const std::vector<ByteView>& parts);
bool RenameFlushed(const std::string& from, const std::string& to, const std::string& directory);

// Whatever is there under this name is gone afterwards: file, link or directory.
void RemoveAnything(const std::string& path);

// Everything in the directory, in the order of use, oldest first; empty when it cannot be read.
std::vector<CacheFile> ListByUse(const std::string& directory);

}  // namespace wb
