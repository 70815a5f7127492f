#pragma once

// DiskModel: what a disk may hold after the power was cut. It is told what a program did, in order;
// what was flushed is there, and of all else each sector and each name may be there or not.
//
// - A file's bytes and length last once the file was flushed, in sectors of 512 bytes until then.
// - A name lasts once its folder was flushed. A rename within a folder is one step.
// - A flush that failed leaves each thing written or lost, and a later flush does not bring it
// back.
//
// Pure: all chance comes from seeds.

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "compiler/base/bytes.h"

namespace wb::test {

struct DiskOp {
  enum class Kind : uint8_t {
    kCreate,
    kMakeFolder,
    kWrite,     // `bytes` at `offset`
    kTruncate,  // to `offset` bytes
    kFlush,     // of a file or a folder
    kFlushFailed,
    kRename,  // to `to`
    kRemove,
  };
  Kind kind = Kind::kCreate;
  std::string path;  // from the root
  std::string to;
  uint64_t offset = 0;
  Bytes bytes;
};

// Files by their paths from the root; nullopt: a folder.
using DiskImage = std::map<std::string, std::optional<Bytes>>;

// The same everywhere, unlike the distributions of the standard library.
class Chance {
 public:
  explicit Chance(uint64_t seed) : engine_(seed) {}
  uint64_t Below(uint64_t most) { return most == 0 ? 0 : engine_() % most; }
  bool Half() { return Below(2) == 0; }

 private:
  std::mt19937_64 engine_;
};

class DiskModel {
 public:
  // `flush_works` false: a disk that says it has flushed, and has not.
  DiskModel(const DiskImage& durable, uint64_t seed, bool flush_works = true);
  void Apply(const DiskOp& op);
  // After a cut at this moment.
  DiskImage Cut(Chance* chance) const;

 private:
  struct Change {
    uint64_t number = 0;
    bool is_write = false;  // else a new length
    uint64_t offset = 0;
    Bytes bytes;
  };
  struct NameChange {
    uint64_t number = 0;
    std::string removed;  // empty: none
    std::string added;
    int node = 0;
  };
  struct Node {
    bool is_folder = false;
    Bytes bytes;
    std::vector<Change> changes;
    std::map<std::string, int> names;
    std::vector<NameChange> name_changes;
  };
  class Fate;

  int Add(bool is_folder);
  int At(const std::string& path) const;  // -1: nothing is there
  Node* FolderOf(const std::string& path);
  void Link(const std::string& path, bool is_folder);
  void Unlink(const std::string& path);
  void Rename(const std::string& from, const std::string& to);
  static void Settle(Fate* fate, Node* node);
  static void Write(const Change& change, Fate* fate, Bytes* bytes);
  void Collect(const Node& folder, const std::string& prefix, Fate* fate, DiskImage* image) const;

  const bool flush_works_;
  Chance chance_;
  uint64_t next_ = 0;
  std::vector<Node> nodes_;
  std::map<std::string, int> live_;  // what the program sees
};

}  // namespace wb::test
