#include "tests/daemon/disk/disk_model.h"

#include <algorithm>
#include <utility>

namespace wb::test {
namespace {

constexpr uint64_t kSector = 512;

std::string NameIn(const std::string& path) { return path.substr(path.rfind('/') + 1); }

std::string FolderPath(const std::string& path) {
  const size_t slash = path.rfind('/');
  return slash == std::string::npos ? "" : path.substr(0, slash);
}

}  // namespace

// What becomes of changes that nobody flushed: all are there, none, those before a moment (the one
// at that moment in part), or each by chance.
class DiskModel::Fate {
 public:
  Fate(Chance* chance, uint64_t changes) : chance_(*chance), style_(chance->Below(4)) {
    moment_ = chance->Below(changes + 1);
  }
  static Fate All(Chance* chance) {
    Fate fate(chance, 0);
    fate.style_ = kAll;
    return fate;
  }
  static Fate Each(Chance* chance) {
    Fate fate(chance, 0);
    fate.style_ = kEach;
    return fate;
  }
  bool Keeps(uint64_t number) {
    if (style_ == kBefore) return number < moment_ || (number == moment_ && chance_.Half());
    if (style_ == kEach) return chance_.Half();
    return style_ == kAll;
  }
  // Whether some of its sectors may be there and others not.
  bool Tears(uint64_t number) {
    if (style_ == kBefore) return number == moment_;
    return style_ == kEach && chance_.Half();
  }

 private:
  enum : uint64_t { kNone, kAll, kBefore, kEach };
  Chance& chance_;
  uint64_t style_;
  uint64_t moment_ = 0;
};

DiskModel::DiskModel(const DiskImage& durable, uint64_t seed, bool flush_works)
    : flush_works_(flush_works), chance_(seed) {
  nodes_.emplace_back().is_folder = true;
  live_[""] = 0;
  for (const auto& [path, bytes] : durable) {
    const int node = Add(!bytes.has_value());
    if (bytes) nodes_[static_cast<size_t>(node)].bytes = *bytes;
    live_[path] = node;
    FolderOf(path)->names[NameIn(path)] = node;
  }
}

int DiskModel::Add(bool is_folder) {
  nodes_.emplace_back().is_folder = is_folder;
  return static_cast<int>(nodes_.size()) - 1;
}

int DiskModel::At(const std::string& path) const {
  const auto at = live_.find(path);
  return at == live_.end() ? -1 : at->second;
}

DiskModel::Node* DiskModel::FolderOf(const std::string& path) {
  return &nodes_[static_cast<size_t>(live_.at(FolderPath(path)))];
}

void DiskModel::Link(const std::string& path, bool is_folder) {
  if (At(path) >= 0) return;
  const int node = Add(is_folder);
  live_[path] = node;
  FolderOf(path)->name_changes.push_back({next_++, "", NameIn(path), node});
}

void DiskModel::Unlink(const std::string& path) {
  if (live_.erase(path) == 0) return;
  FolderOf(path)->name_changes.push_back({next_++, NameIn(path), "", 0});
}

void DiskModel::Rename(const std::string& from, const std::string& to) {
  const int node = At(from);
  if (node < 0) return;
  live_.erase(from);
  live_[to] = node;
  if (FolderPath(from) == FolderPath(to)) {
    FolderOf(to)->name_changes.push_back({next_++, NameIn(from), NameIn(to), node});
    return;
  }
  FolderOf(from)->name_changes.push_back({next_++, NameIn(from), "", 0});
  FolderOf(to)->name_changes.push_back({next_++, "", NameIn(to), node});
}

void DiskModel::Apply(const DiskOp& op) {
  using Kind = DiskOp::Kind;
  if (op.kind == Kind::kCreate || op.kind == Kind::kMakeFolder) {
    return Link(op.path, op.kind == Kind::kMakeFolder);
  }
  if (op.kind == Kind::kRename) return Rename(op.path, op.to);
  if (op.kind == Kind::kRemove) return Unlink(op.path);
  const int at = At(op.path);
  if (at < 0) return;  // a file without a name cannot be found again
  Node& node = nodes_[static_cast<size_t>(at)];
  if (op.kind == Kind::kWrite || op.kind == Kind::kTruncate) {
    node.changes.push_back({next_++, op.kind == Kind::kWrite, op.offset, op.bytes});
  } else if (flush_works_) {
    Fate fate = op.kind == Kind::kFlush ? Fate::All(&chance_) : Fate::Each(&chance_);
    Settle(&fate, &node);
  }
}

void DiskModel::Write(const Change& change, Fate* fate, Bytes* bytes) {
  const bool tears = fate->Tears(change.number);
  if (!tears && !fate->Keeps(change.number)) return;
  if (!change.is_write) return bytes->resize(change.offset);
  const uint64_t end = change.offset + change.bytes.size();
  for (uint64_t at = change.offset; at < end;) {
    const uint64_t stop = std::min(end, (at / kSector + 1) * kSector);
    if (!tears || fate->Keeps(change.number)) {
      if (bytes->size() < stop) bytes->resize(stop);
      std::copy(change.bytes.begin() + static_cast<ptrdiff_t>(at - change.offset),
                change.bytes.begin() + static_cast<ptrdiff_t>(stop - change.offset),
                bytes->begin() + static_cast<ptrdiff_t>(at));
    }
    at = stop;
  }
}

void DiskModel::Settle(Fate* fate, Node* node) {
  for (const Change& change : node->changes) Write(change, fate, &node->bytes);
  node->changes.clear();
  for (const NameChange& change : node->name_changes) {
    if (!fate->Keeps(change.number)) continue;
    if (!change.removed.empty()) node->names.erase(change.removed);
    if (!change.added.empty()) node->names[change.added] = change.node;
  }
  node->name_changes.clear();
}

void DiskModel::Collect(const Node& folder, const std::string& prefix, Fate* fate,
                        DiskImage* image) const {
  Node settled = folder;
  Settle(fate, &settled);
  for (const auto& [name, number] : settled.names) {
    const std::string path = prefix + name;
    Node node = nodes_[static_cast<size_t>(number)];
    if (node.is_folder) {
      (*image)[path] = std::nullopt;
      Collect(node, path + "/", fate, image);
    } else {
      Settle(fate, &node);
      (*image)[path] = std::move(node.bytes);
    }
  }
}

DiskImage DiskModel::Cut(Chance* chance) const {
  Fate fate(chance, next_);
  DiskImage image;
  Collect(nodes_[0], "", &fate, &image);
  return image;
}

}  // namespace wb::test
