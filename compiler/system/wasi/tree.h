#pragma once

// The tree of files that the program sees: what was written or made, over the instance's own files,
// over the job's file set. A node is in memory while it is open, on a path, or above one that is,
// and for good once it differs from the set. A name without a node hides a child of the set.

#include "compiler/system/wasi/content.h"
#include "compiler/system/wasi/image.h"

typedef struct Node Node;

typedef struct Name {
  struct Name *next, *before;
  struct Name* same_bucket;  // the next one in the directory's table
  Node* node;                // null: removed
  uint32_t hash;
  uint32_t serial;  // names that the set does not have, in the order in which they were made
  bool in_image;    // the set's directory has a child of this name
  uint8_t bytes;
  char text[];
} Name;

typedef struct {
  Name *first, *last;
  Name** buckets;         // the names by their hashes; null: they are few
  uint32_t bucket_count;  // a power of two, or 0
  uint32_t names;
  uint32_t next_serial;
  uint32_t image_first, image_children;  // of the directory of the set that lies below
  uint32_t names_in_image;               // how many of the names have in_image
} Directory;

struct Node {
  uint8_t type;      // TYPE_DIRECTORY or TYPE_REGULAR
  bool is_changed;   // differs from the set, so it stays though nothing refers to it
  bool time_is_due;  // modified, at a time that is asked for when it matters
  uint32_t references;
  Name* name;       // null: it has none
  Node* parent;     // the directory that names it
  uint64_t number;  // what programs see as its inode
  uint64_t accessed, modified;
  union {
    Directory directory;
    Content content;
  };
};

typedef struct {
  bool is_ready;
  Errno error;  // of the file set, met at the root
  Node* root;
  uint64_t made;  // nodes without an entry in the set, so far
} Tree;

// The root, with the instance's own files in it. E_IO: the file set is damaged.
Errno TreeRoot(Node** root);

Node* NewNode(uint8_t type);  // null: no memory
void Hold(Node* node);
// The other end of Hold. A node that nothing refers to is released if the set holds it as it is, or
// if it has no name any more.
void Drop(Node* node);

// The name in the directory. E_NOENT: there is none, or `name` is one without a node. Else the name
// has a node, which the caller holds at once if it needs it for longer than until the next Drop.
Errno FindChild(Node* directory, const char* text, uint32_t bytes, Name** name);
Name* NameInMemory(const Directory* directory, const char* text, uint32_t bytes);
// Gives the node a name. `name`: what FindChild answered besides E_NOENT, or null.
Errno PutChild(Node* directory, const char* text, uint32_t bytes, Name* name, Node* node);
// Takes the node's name away; what no descriptor refers to is released. Where PutChild has given
// the node another name, it keeps that.
void RemoveChild(Node* directory, Name* name);
bool HasChildren(const Node* directory);
