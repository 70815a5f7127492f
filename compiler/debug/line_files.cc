#include "compiler/debug/line_files.h"

#include <optional>
#include <string_view>

#include "compiler/debug/byte_cursor.h"

namespace wb {
namespace {

struct Entry {
  std::string_view path;
  uint64_t directory = 0;
};

constexpr uint64_t kNoEntry = ~uint64_t{0};

// Without what leads from the root to the folder of the compilation.
std::string Joined(std::string_view compiled_in, std::string_view directory,
                   std::string_view path) {
  std::string whole(path);
  if (!directory.empty() && !path.starts_with('/')) {
    whole = std::string(directory) + "/" + whole;
  }
  if (compiled_in.empty() || !whole.starts_with(compiled_in)) return whole;
  if (whole.size() <= compiled_in.size() || whole[compiled_in.size()] != '/') return whole;
  return whole.substr(compiled_in.size() + 1);
}

// DWARF 2 to 4: entries up to an empty path; files have three numbers. Counted from 1.
std::optional<Entry> OldEntry(ByteCursor* cursor, bool is_file, uint64_t wanted) {
  std::optional<Entry> found;
  for (uint64_t number = 1; cursor->ok(); ++number) {
    Entry entry = {cursor->Text()};
    if (entry.path.empty()) break;
    if (is_file) {
      entry.directory = cursor->Unsigned();
      cursor->Unsigned();  // time
      cursor->Unsigned();  // length
    }
    if (number == wanted) found = entry;
  }
  return cursor->ok() ? found : std::nullopt;
}

std::string OldFile(ByteCursor cursor, uint32_t file) {
  ByteCursor directories = cursor;
  OldEntry(&cursor, false, kNoEntry);
  const std::optional<Entry> found = OldEntry(&cursor, true, file);
  if (!found) return "";
  const std::optional<Entry> directory = OldEntry(&directories, false, found->directory);
  return Joined("", directory ? directory->path : "", found->path);
}

enum Content : uint64_t { kPath = 1, kDirectoryIndex = 2 };

enum Form : uint64_t {
  kBlock2 = 0x03,
  kBlock4 = 0x04,
  kData2 = 0x05,
  kData4 = 0x06,
  kData8 = 0x07,
  kString = 0x08,
  kBlock = 0x09,
  kBlock1 = 0x0a,
  kData1 = 0x0b,
  kStrp = 0x0e,
  kUdata = 0x0f,
  kData16 = 0x1e,
  kLineStrp = 0x1f,
};

// A text in the table itself or in another section. It is looked up for the wanted entry alone:
// each of many entries may point to one long text.
struct TextPlace {
  std::string_view text;
  ByteView section;
  uint64_t at = 0;

  std::string_view Find() const { return section.empty() ? text : ByteCursor(section, at).Text(); }
};

struct PlacedEntry {
  TextPlace path;
  uint64_t directory = 0;
};

// The tables of DWARF 5: what a table's entries consist of stands before them.
class NewTables {
 public:
  NewTables(const DebugSections& sections, const LineHeader& header)
      : sections_(sections), offset_bytes_(header.is_64_bit ? 8 : 4) {}

  std::string File(ByteCursor cursor, uint32_t file) const {
    ByteCursor directories = cursor;
    ByteCursor root = cursor;
    Find(&cursor, kNoEntry);
    const std::optional<Entry> found = Find(&cursor, file);
    if (!found) return "";
    const std::optional<Entry> compiled_in = Find(&root, 0);
    const std::optional<Entry> directory = Find(&directories, found->directory);
    return Joined(compiled_in ? compiled_in->path : "", directory ? directory->path : "",
                  found->path);
  }

 private:
  // Reads a table to its end, or until it breaks.
  std::optional<Entry> Find(ByteCursor* cursor, uint64_t wanted) const {
    const uint8_t fields = cursor->U8();
    const ByteCursor format = *cursor;
    for (uint8_t i = 0; i < fields; ++i) {
      cursor->Unsigned();
      cursor->Unsigned();
    }
    const uint64_t count = cursor->Unsigned();
    if (fields == 0) return std::nullopt;  // entries of no bytes: their count would bound nothing
    std::optional<Entry> found;
    for (uint64_t number = 0; number < count && cursor->ok(); ++number) {
      const PlacedEntry entry = ReadEntry(cursor, format, fields);
      if (number == wanted) found = Entry{entry.path.Find(), entry.directory};
    }
    return cursor->ok() ? found : std::nullopt;
  }

  PlacedEntry ReadEntry(ByteCursor* cursor, ByteCursor format, uint8_t fields) const {
    PlacedEntry entry;
    for (uint8_t i = 0; i < fields; ++i) {
      const uint64_t content = format.Unsigned();
      const uint64_t form = format.Unsigned();
      uint64_t number = 0;
      const TextPlace text = ReadField(cursor, form, &number);
      if (content == kPath) entry.path = text;
      if (content == kDirectoryIndex) entry.directory = number;
    }
    return entry;
  }

  // Every form takes a byte at least. One that is not known breaks the cursor.
  TextPlace ReadField(ByteCursor* cursor, uint64_t form, uint64_t* number) const {
    switch (form) {
      case kString: return {cursor->Text(), {}, 0};
      case kLineStrp: return {{}, sections_.line_str, cursor->Fixed(offset_bytes_)};
      case kStrp: return {{}, sections_.str, cursor->Fixed(offset_bytes_)};
      case kUdata: *number = cursor->Unsigned(); break;
      case kData1: *number = cursor->U8(); break;
      case kData2: *number = cursor->U16(); break;
      case kData4: *number = cursor->U32(); break;
      case kData8: *number = cursor->U64(); break;
      case kData16: cursor->Take(16); break;
      case kBlock: cursor->Take(cursor->Unsigned()); break;
      case kBlock1: cursor->Take(cursor->U8()); break;
      case kBlock2: cursor->Take(cursor->U16()); break;
      case kBlock4: cursor->Take(cursor->U32()); break;
      default: cursor->Take(kNoEntry); break;
    }
    return {};
  }

  const DebugSections& sections_;
  const size_t offset_bytes_;
};

}  // namespace

std::string LineFile(const DebugSections& sections, const LineHeader& header, uint32_t file) {
  const ByteCursor tables(sections.line.first(header.program_at), header.files_at);
  if (header.version < 5) return OldFile(tables, file);
  return NewTables(sections, header).File(tables, file);
}

}  // namespace wb
