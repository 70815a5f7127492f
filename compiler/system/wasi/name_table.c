#include "compiler/system/wasi/name_table.h"

#include "compiler/system/wasi/bytes.h"
#include "compiler/system/wasi/heap.h"

enum { kFewNames = 8, kFirstBuckets = 16 };

// FNV-1a.
static uint32_t HashOf(const char* text, uint32_t bytes) {
  uint32_t hash = 2166136261u;
  for (uint32_t i = 0; i < bytes; ++i) hash = (hash ^ (uint8_t)text[i]) * 16777619u;
  return hash;
}

static Name** BucketOf(const Directory* directory, uint32_t hash) {
  return &directory->buckets[hash & (directory->bucket_count - 1)];
}

static void Link(Directory* directory, Name* name) {
  Name** bucket = BucketOf(directory, name->hash);
  name->same_bucket = *bucket;
  *bucket = name;
}

// Whether all names are in a larger table now.
static bool Grow(Directory* directory) {
  const uint32_t count = directory->bucket_count == 0 ? kFirstBuckets : directory->bucket_count * 2;
  Name** buckets = Allocate(count * sizeof *buckets);
  if (buckets == NULL) return false;
  ReleaseTable(directory);
  directory->buckets = buckets;
  directory->bucket_count = count;
  for (Name* name = directory->first; name != NULL; name = name->next) Link(directory, name);
  return true;
}

void AddToTable(Directory* directory, Name* name) {
  name->hash = HashOf(name->text, name->bytes);
  ++directory->names;
  const bool is_full = directory->names > kFewNames && directory->names > directory->bucket_count;
  if (is_full && Grow(directory)) return;
  if (directory->buckets != NULL) Link(directory, name);
}

void TakeFromTable(Directory* directory, Name* name) {
  --directory->names;
  if (directory->buckets == NULL) return;
  Name** at = BucketOf(directory, name->hash);
  while (*at != name) at = &(*at)->same_bucket;
  *at = name->same_bucket;
}

Name* FindInTable(const Directory* directory, const char* text, uint32_t bytes) {
  const bool has_table = directory->buckets != NULL;
  Name* name = has_table ? *BucketOf(directory, HashOf(text, bytes)) : directory->first;
  while (name != NULL && !(name->bytes == bytes && BytesEqual(name->text, text, bytes))) {
    name = has_table ? name->same_bucket : name->next;
  }
  return name;
}

void ReleaseTable(Directory* directory) {
  Release(directory->buckets, directory->bucket_count * sizeof *directory->buckets);
  directory->buckets = NULL;
  directory->bucket_count = 0;
}
