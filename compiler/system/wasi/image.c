#include "compiler/system/wasi/image.h"

#include "compiler/system/wasi/bytes.h"
#include "compiler/system/wasi/config.h"
#include "compiler/system/wasi/host.h"
#include "compiler/system/wasi/layer.h"

enum { kMagic = 0x53464257, kVersion = 1, kHeaderBytes = 32, kEntryBytes = 48 };

// As they lie in the image.
typedef struct {
  uint32_t magic, version, entries, names_bytes;
  uint64_t entries_at, names_at;
} HeaderRecord;
typedef struct {
  uint32_t name_at, name_bytes, type, first_child;
  uint64_t size, data_at, modified, zero;
} EntryRecord;
_Static_assert(sizeof(HeaderRecord) == kHeaderBytes, "of the format");
_Static_assert(sizeof(EntryRecord) == kEntryBytes, "of the format");

static bool IsWithin(uint64_t at, uint64_t bytes, uint64_t all) {
  return bytes <= all && at <= all - bytes;
}

// `bytes` bytes at `at`, read together with those around them. Null: they are not there.
static const uint8_t* Look(Window* window, uint64_t at, uint32_t bytes) {
  if (at < window->at || !IsWithin(at - window->at, bytes, window->bytes)) {
    const uint64_t before = (kWindowBytes - bytes) / 2;
    window->at = at < before ? 0 : at - before;
    window->bytes = InputRead(kInputFileSet, window->at, window->data, kWindowBytes);
    if (!IsWithin(at - window->at, bytes, window->bytes)) return NULL;
  }
  return window->data + (at - window->at);
}

static ImageState ReadHeader(Image* image) {
  if (TheConfig()->flags & kNoFileSet) return kImageAbsent;
  const int64_t bytes = InputSize(kInputFileSet);
  if (bytes < 0) return kImageAbsent;
  image->bytes = (uint64_t)bytes;
  const uint8_t* at = Look(&image->entry_window, 0, kHeaderBytes);
  if (at == NULL) return kImageDamaged;
  HeaderRecord header;
  __builtin_memcpy(&header, at, kHeaderBytes);
  image->entries = header.entries;
  image->entries_at = header.entries_at;
  image->names_at = header.names_at;
  image->names_bytes = header.names_bytes;
  const bool whole =
      header.magic == kMagic && header.version == kVersion && header.entries > 0 &&
      IsWithin(header.entries_at, (uint64_t)header.entries * kEntryBytes, image->bytes) &&
      IsWithin(header.names_at, header.names_bytes, image->bytes);
  return whole ? kImageWhole : kImageDamaged;
}

static Image* TheImage(void) {
  Image* image = &layer.image;
  if (image->state == kImageUnread) image->state = ReadHeader(image);
  return image;
}

static bool IsSound(const EntryRecord* record, const Image* image) {
  if (!IsWithin(record->name_at, record->name_bytes, image->names_bytes)) return false;
  if (record->name_bytes > kLongestName) return false;
  if (record->type == TYPE_DIRECTORY) {
    return IsWithin(record->first_child, record->size, image->entries);
  }
  return record->type == TYPE_REGULAR && IsWithin(record->data_at, record->size, image->bytes);
}

Errno ImageEntryAt(uint32_t index, ImageEntry* entry) {
  Image* image = TheImage();
  if (image->state == kImageAbsent) return E_NOENT;
  if (image->state == kImageDamaged || index >= image->entries) return E_IO;
  const uint64_t from = image->entries_at + (uint64_t)index * kEntryBytes;
  const uint8_t* at = Look(&image->entry_window, from, kEntryBytes);
  if (at == NULL) return E_IO;
  EntryRecord record;
  __builtin_memcpy(&record, at, kEntryBytes);
  if (!IsSound(&record, image)) return E_IO;
  const bool directory = record.type == TYPE_DIRECTORY;
  entry->index = index;
  entry->type = record.type;
  entry->name_at = image->names_at + record.name_at;
  entry->name_bytes = record.name_bytes;
  entry->first_child = directory ? record.first_child : 0;
  entry->children = directory ? (uint32_t)record.size : 0;
  entry->data_at = directory ? 0 : record.data_at;
  entry->size = directory ? 0 : record.size;
  entry->modified = record.modified;
  return E_OK;
}

const char* ImageName(const ImageEntry* entry) {
  return (const char*)Look(&layer.image.name_window, entry->name_at, entry->name_bytes);
}

Errno ImageFind(uint32_t first, uint32_t children, const char* name, uint32_t bytes,
                ImageEntry* entry) {
  uint32_t low = first, high = first + children;
  while (low < high) {
    const uint32_t middle = low + (high - low) / 2;
    const Errno error = ImageEntryAt(middle, entry);
    if (error != E_OK) return error;
    const char* found = ImageName(entry);
    if (found == NULL) return E_IO;
    const int order = CompareNames(name, bytes, found, entry->name_bytes);
    if (order == 0) return E_OK;
    if (order < 0) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return E_NOENT;
}
