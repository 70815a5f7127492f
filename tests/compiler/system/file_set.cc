#include "tests/compiler/system/file_set.h"

#include <deque>

#include "compiler/system/wasi/abi.h"

namespace wb::test {
namespace {

struct Folder {
  std::map<std::string, Folder> folders;
  std::map<std::string, std::string> files;
};

struct Entry {
  std::string name;
  bool is_folder = false;
  const Folder* folder = nullptr;
  std::string bytes;
  uint32_t first_child = 0, children = 0;
};

Folder FoldersOf(const std::map<std::string, std::string>& files) {
  Folder root;
  for (const auto& [path, bytes] : files) {
    Folder* folder = &root;
    size_t from = 0;
    for (size_t slash; (slash = path.find('/', from)) != std::string::npos; from = slash + 1) {
      folder = &folder->folders[path.substr(from, slash - from)];
    }
    if (from < path.size()) folder->files[path.substr(from)] = bytes;
  }
  return root;
}

// By levels, so that children follow one another.
std::deque<Entry> EntriesOf(const Folder& root) {
  std::deque<Entry> entries = {{"", true, &root, "", 0, 0}};
  for (size_t i = 0; i < entries.size(); ++i) {
    if (!entries[i].is_folder) continue;
    std::map<std::string, Entry> children;
    for (const auto& [name, folder] : entries[i].folder->folders) {
      children[name] = {name, true, &folder, "", 0, 0};
    }
    for (const auto& [name, bytes] : entries[i].folder->files) {
      children[name] = {name, false, nullptr, bytes, 0, 0};
    }
    entries[i].first_child = static_cast<uint32_t>(entries.size());
    entries[i].children = static_cast<uint32_t>(children.size());
    for (const auto& [name, child] : children) entries.push_back(child);
  }
  return entries;
}

void Append(std::string* to, uint64_t number, int bytes) {
  for (int i = 0; i < bytes; ++i) to->push_back(static_cast<char>(number >> 8 * i));
}

void PutText(std::string* to, const std::string& text) {
  Append(to, text.size(), 4);
  *to += text;
}

}  // namespace

std::string Configuration(const InstanceInputs& inputs) {
  std::string out;
  Append(&out, 1, 4);
  Append(&out, inputs.args.size(), 4);
  Append(&out, inputs.envs.size(), 4);
  Append(&out, inputs.files.size(), 4);
  Append(&out, inputs.clock_start, 8);
  Append(&out, inputs.seed, 8);
  Append(&out, inputs.scratch_bytes, 4);
  Append(&out,
         (inputs.standard_input ? 0 : 1) | (inputs.file_set ? 0 : 2) | (inputs.draw_number ? 4 : 0),
         4);
  Append(&out, inputs.preopens.size(), 4);
  for (const auto& [name, path] : inputs.preopens) {
    PutText(&out, name);
    PutText(&out, path);
  }
  Append(&out, inputs.outputs.size(), 4);
  for (const std::string& path : inputs.outputs) PutText(&out, path);
  return out;
}

std::string FileSet(const std::map<std::string, std::string>& files) {
  const Folder root = FoldersOf(files);
  const std::deque<Entry> entries = EntriesOf(root);
  std::string names, data, table, header;
  const uint64_t data_at = 32 + 48 * entries.size();
  for (const Entry& entry : entries) {
    Append(&table, names.size(), 4);
    Append(&table, entry.name.size(), 4);
    Append(&table, entry.is_folder ? TYPE_DIRECTORY : TYPE_REGULAR, 4);
    Append(&table, entry.first_child, 4);
    Append(&table, entry.is_folder ? entry.children : entry.bytes.size(), 8);
    Append(&table, entry.is_folder ? 0 : data_at + data.size(), 8);
    Append(&table, 1000 + table.size(), 8);
    Append(&table, 0, 8);
    names += entry.name;
    data += entry.bytes;
  }
  Append(&header, 0x53464257, 4);
  Append(&header, 1, 4);
  Append(&header, entries.size(), 4);
  Append(&header, names.size(), 4);
  Append(&header, 32, 8);
  Append(&header, data_at + data.size(), 8);
  return header + table + data + names;
}

}  // namespace wb::test
