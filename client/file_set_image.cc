#include "client/file_set_image.h"

#include <utility>
#include <vector>

namespace wb {
namespace {

constexpr uint32_t kMagic = 0x53464257;  // "WBFS"
constexpr uint32_t kVersion = 1;
constexpr uint64_t kHeaderBytes = 32;
constexpr uint64_t kEntryBytes = 48;
constexpr uint32_t kFolder = 3;  // as WASI numbers types of files
constexpr uint32_t kFile = 4;
constexpr uint64_t kAlignment = 16;  // of a file's bytes

uint64_t Aligned(uint64_t at) { return (at + kAlignment - 1) / kAlignment * kAlignment; }

Status BadPath(const std::string& path, const std::string& words) {
  return Status(Reason::kInvalidArgument, "The path [" + path + "] of a file set " + words + ".",
                {{"path", path}});
}

// Little end first.
class Numbers {
 public:
  explicit Numbers(std::string* out) : out_(out) {}
  void U32(uint64_t number) { Put(number, 4); }
  void U64(uint64_t number) { Put(number, 8); }

 private:
  void Put(uint64_t number, int bytes) {
    for (int i = 0; i < bytes; ++i) *out_ += static_cast<char>(number >> (8 * i));
  }
  std::string* const out_;
};

}  // namespace

struct FileSetImage::Node {
  bool is_folder = true;
  uint64_t bytes = 0;  // of a file
  uint64_t mtime_ns = 0;
  std::map<std::string, std::unique_ptr<Node>> children;  // sorted by bytes, as the image wants
};

// The entries in their order: the children of a folder follow one another.
struct FileSetImage::Layout {
  struct Entry {
    const Node* node = nullptr;
    std::string path;
    uint64_t name_at = 0;
    uint64_t name_bytes = 0;
    uint64_t first_child = 0;
    uint64_t data_at = 0;
  };
  std::vector<Entry> entries;
  std::string names;
  uint64_t end = 0;  // bytes of the image
};

FileSetImage::FileSetImage() : root_(std::make_unique<Node>()) {}
FileSetImage::~FileSetImage() = default;

Result<FileSetImage::Node*> FileSetImage::FolderOf(const std::string& path, std::string* name) {
  Node* folder = root_.get();
  for (size_t at = 0;;) {
    const size_t slash = path.find('/', at);
    *name = path.substr(at, slash == std::string::npos ? slash : slash - at);
    if (name->empty() || *name == "." || *name == "..") {
      return BadPath(path, "needs names between single slashes, and neither . nor ..");
    }
    if (slash == std::string::npos) return folder;
    std::unique_ptr<Node>& next = folder->children[*name];
    if (next == nullptr) next = std::make_unique<Node>();
    if (!next->is_folder) return BadPath(path, "leads through a file");
    folder = next.get();
    at = slash + 1;
  }
}

Status FileSetImage::AddFile(const std::string& path, uint64_t bytes, uint64_t mtime_ns) {
  std::string name;
  WB_ASSIGN(Node * folder, FolderOf(path, &name));
  std::unique_ptr<Node>& file = folder->children[name];
  if (file != nullptr) return BadPath(path, "is given twice");
  file = std::make_unique<Node>();
  file->is_folder = false;
  file->bytes = bytes;
  file->mtime_ns = mtime_ns;
  return {};
}

Status FileSetImage::AddFolder(const std::string& path, uint64_t mtime_ns) {
  std::string name;
  WB_ASSIGN(Node * parent, FolderOf(path, &name));
  std::unique_ptr<Node>& folder = parent->children[name];
  if (folder == nullptr) folder = std::make_unique<Node>();
  if (!folder->is_folder) return BadPath(path, "is a file already");
  folder->mtime_ns = mtime_ns;
  return {};
}

FileSetImage::Layout FileSetImage::LayOut() const {
  Layout layout;
  layout.entries.push_back({root_.get(), "", 0, 0, 0, 0});
  // Entries are added behind while those before them are read.
  for (size_t i = 0; i < layout.entries.size(); ++i) {
    const Node* folder = layout.entries[i].node;
    const std::string prefix = i == 0 ? "" : layout.entries[i].path + "/";
    layout.entries[i].first_child = folder->children.empty() ? 0 : layout.entries.size();
    for (const auto& [name, child] : folder->children) {
      layout.entries.push_back(
          {child.get(), prefix + name, layout.names.size(), name.size(), 0, 0});
      layout.names += name;
    }
  }
  layout.end = kHeaderBytes + layout.entries.size() * kEntryBytes + layout.names.size();
  for (Layout::Entry& entry : layout.entries) {
    if (entry.node->is_folder) continue;
    entry.data_at = Aligned(layout.end);
    layout.end = entry.data_at + entry.node->bytes;
  }
  return layout;
}

uint64_t FileSetImage::size() const { return LayOut().end; }

// What stands before the files' bytes.
std::string FileSetImage::IndexOf(const Layout& layout) {
  std::string index;
  index.reserve(kHeaderBytes + layout.entries.size() * kEntryBytes + layout.names.size());
  Numbers out(&index);
  out.U32(kMagic);
  out.U32(kVersion);
  out.U32(layout.entries.size());
  out.U32(layout.names.size());
  out.U64(kHeaderBytes);
  out.U64(kHeaderBytes + layout.entries.size() * kEntryBytes);
  for (const Layout::Entry& entry : layout.entries) {
    out.U32(entry.name_at);
    out.U32(entry.name_bytes);
    out.U32(entry.node->is_folder ? kFolder : kFile);
    out.U32(entry.first_child);
    out.U64(entry.node->is_folder ? entry.node->children.size() : entry.node->bytes);
    out.U64(entry.data_at);
    out.U64(entry.node->mtime_ns);
    out.U64(0);
  }
  return index + layout.names;
}

Status FileSetImage::Write(const ReadFile& read, const TakePart& take) const {
  const Layout layout = LayOut();
  const std::string index = IndexOf(layout);
  WB_TRY(take(index));
  uint64_t at = index.size();
  for (const Layout::Entry& entry : layout.entries) {
    if (entry.node->is_folder) continue;
    WB_TRY(take(std::string(entry.data_at - at, '\0')));
    at = entry.data_at;
    WB_TRY(read(entry.path, entry.node->bytes, [&](std::string_view part) {
      at += part.size();
      return take(part);
    }));
    if (at == entry.data_at + entry.node->bytes) continue;
    return Status(Reason::kIoError, "The file [" + entry.path + "] of a file set gave [" +
                                        std::to_string(at - entry.data_at) + "] bytes; it has [" +
                                        std::to_string(entry.node->bytes) + "] in the index.");
  }
  return {};
}

}  // namespace wb
