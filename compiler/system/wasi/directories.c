// The directories that the configuration opens, and what directories hold.

#include "compiler/system/wasi/calls.h"
#include "compiler/system/wasi/layer.h"

I32 wasi_fd_prestat_get(I32 fd, I32 out) {
  Descriptor* descriptor = NULL;
  if (!GuestHas(out, PRESTAT_BYTES)) return E_FAULT;
  const Errno error = FindDescriptor(fd, 0, 0, &descriptor);
  if (error != E_OK) return error;
  if (descriptor->preopen == 0) return E_INVAL;
  GuestStore32(out, 0);  // the kind: a directory
  GuestStore32(out + 4, TheConfig()->preopen[descriptor->preopen - 1].guest.bytes);
  return E_OK;
}

I32 wasi_fd_prestat_dir_name(I32 fd, I32 to, I32 bytes) {
  Descriptor* descriptor = NULL;
  if (!GuestHas(to, bytes)) return E_FAULT;
  const Errno error = FindDescriptor(fd, 0, 0, &descriptor);
  if (error != E_OK) return error;
  if (descriptor->preopen == 0) return E_BADF;
  const Text name = TheConfig()->preopen[descriptor->preopen - 1].guest;
  if (bytes < name.bytes) return E_NOBUFS;
  SystemToGuest(to, name.text, name.bytes);
  return E_OK;
}

// The room for entries. The last one may be cut; a full room says that there are more.
typedef struct {
  Guest to;
  uint32_t bytes, used;
} Listing;

static void Append(Listing* listing, const void* from, uint32_t bytes) {
  const uint32_t room = listing->bytes - listing->used;
  const uint32_t fits = bytes < room ? bytes : room;
  SystemToGuest(listing->to + listing->used, from, fits);
  listing->used += fits;
}

static void AppendEntry(Listing* listing, uint64_t cookie, uint64_t number, uint8_t type,
                        const char* name, uint32_t bytes) {
  struct {
    uint64_t next, number;
    uint32_t bytes;
    uint32_t type;
  } record = {cookie + 1, number, bytes, type};
  _Static_assert(sizeof record == DIRENT_BYTES, "of the ABI");
  Append(listing, &record, DIRENT_BYTES);
  Append(listing, name, bytes);
}

// Entries of the set, in its order: the cookie is the child's number. What took a child's place is
// listed there.
static Errno ListImage(const Directory* directory, uint64_t cookie, Listing* listing) {
  for (; cookie < directory->image_children && listing->used < listing->bytes; ++cookie) {
    ImageEntry entry;
    const Errno error = ImageEntryAt(directory->image_first + (uint32_t)cookie, &entry);
    if (error != E_OK) return error;
    const char* text = ImageName(&entry);
    if (text == NULL) return E_IO;
    const Name* name = NameInMemory(directory, text, entry.name_bytes);
    if (name != NULL && name->node == NULL) continue;
    const uint64_t number = name == NULL ? (uint64_t)entry.index + 1 : name->node->number;
    const uint8_t type = name == NULL ? (uint8_t)entry.type : name->node->type;
    AppendEntry(listing, cookie, number, type, text, entry.name_bytes);
  }
  return E_OK;
}

// The others, in the order in which they were made: the cookie counts on by their serial numbers,
// so it stays right when names are removed between two calls.
static void ListMade(const Directory* directory, uint64_t cookie, Listing* listing) {
  for (const Name* name = directory->first; name != NULL; name = name->next) {
    const uint64_t at = (uint64_t)directory->image_children + name->serial;
    if (name->in_image || at < cookie) continue;
    if (listing->used == listing->bytes) return;
    AppendEntry(listing, at, name->node->number, name->node->type, name->text, name->bytes);
  }
}

I32 wasi_fd_readdir(I32 fd, I32 to, I32 bytes, I64 cookie, I32 out) {
  Descriptor* descriptor = NULL;
  Node* node = NULL;
  if (!GuestHas(to, bytes) || !GuestHas(out, 4)) return E_FAULT;
  Errno error = FindDescriptor(fd, RIGHT_FD_READDIR, 0, &descriptor);
  if (error == E_OK) error = DirectoryOf(descriptor, &node);
  if (error != E_OK) return error;
  Listing listing = {to, bytes, 0};
  error = ListImage(&node->directory, cookie, &listing);
  if (error != E_OK) return error;
  ListMade(&node->directory, cookie, &listing);
  GuestStore32(out, listing.used);
  return E_OK;
}
