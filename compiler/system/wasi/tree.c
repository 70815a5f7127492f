#include "compiler/system/wasi/tree.h"

#include "compiler/system/wasi/heap.h"
#include "compiler/system/wasi/layer.h"
#include "compiler/system/wasi/name_table.h"

// Numbers of nodes that are not in the set lie above those that are.
static const uint64_t kFirstMade = (uint64_t)1 << 32;

Node* NewNode(uint8_t type) {
  Node* node = Allocate(sizeof(Node));
  if (node == NULL) return NULL;
  node->type = type;
  node->number = kFirstMade + layer.tree.made++;
  return node;
}

static Node* NodeOfEntry(const ImageEntry* entry) {
  Node* node = NewNode((uint8_t)entry->type);
  if (node == NULL) return NULL;
  node->number = (uint64_t)entry->index + 1;
  node->accessed = node->modified = entry->modified;
  if (entry->type == TYPE_DIRECTORY) {
    node->directory.image_first = entry->first_child;
    node->directory.image_children = entry->children;
  } else {
    node->content.input = kInputFileSet;
    node->content.input_at = entry->data_at;
    node->content.size = node->content.from_input = entry->size;
  }
  return node;
}

static void ReleaseName(Name* name) { Release(name, sizeof(Name) + name->bytes); }

static void ReleaseNode(Node* node) {
  if (node->type == TYPE_REGULAR) {
    ContentRelease(&node->content);
  } else {
    for (Name* name = node->directory.first; name != NULL;) {
      Name* next = name->next;
      ReleaseName(name);
      name = next;
    }
    ReleaseTable(&node->directory);
  }
  Release(node, sizeof(Node));
}

static Name* AddName(Directory* directory, const char* text, uint32_t bytes, bool in_image) {
  Name* name = Allocate(sizeof(Name) + bytes);
  if (name == NULL) return NULL;
  name->serial = directory->next_serial++;
  name->in_image = in_image;
  name->bytes = (uint8_t)bytes;
  __builtin_memcpy(name->text, text, bytes);
  if (directory->last == NULL) {
    directory->first = name;
  } else {
    directory->last->next = name;
  }
  name->before = directory->last;
  directory->last = name;
  AddToTable(directory, name);
  directory->names_in_image += in_image;
  return name;
}

static void ForgetName(Directory* directory, Name* name) {
  TakeFromTable(directory, name);
  if (name->before == NULL) {
    directory->first = name->next;
  } else {
    name->before->next = name->next;
  }
  if (name->next == NULL) {
    directory->last = name->before;
  } else {
    name->next->before = name->before;
  }
  directory->names_in_image -= name->in_image;
  ReleaseName(name);
}

void Hold(Node* node) { ++node->references; }

static void ForgetNode(Node* node) {
  ForgetName(&node->parent->directory, node->name);
  ReleaseNode(node);
}

// The set can give it again.
static bool IsSpare(const Node* node) {
  if (node->references > 0 || node->is_changed) return false;
  return node->type == TYPE_REGULAR || node->directory.first == NULL;
}

void Drop(Node* node) {
  if (--node->references > 0) return;
  if (node->name == NULL) {
    ReleaseNode(node);
    return;
  }
  while (IsSpare(node)) {  // its directory may be so without it
    Node* parent = node->parent;
    ForgetNode(node);
    node = parent;
  }
}

Name* NameInMemory(const Directory* directory, const char* text, uint32_t bytes) {
  return FindInTable(directory, text, bytes);
}

static Errno FindInImage(Node* parent, const char* text, uint32_t bytes, Name** name) {
  Directory* directory = &parent->directory;
  if (directory->names_in_image == directory->image_children) return E_NOENT;
  ImageEntry entry;
  const Errno error =
      ImageFind(directory->image_first, directory->image_children, text, bytes, &entry);
  if (error != E_OK) return error;
  Node* node = NodeOfEntry(&entry);
  if (node == NULL) return E_NOMEM;
  *name = AddName(directory, text, bytes, true);
  if (*name == NULL) {
    ReleaseNode(node);
    return E_NOMEM;
  }
  (*name)->node = node;
  node->name = *name;
  node->parent = parent;
  return E_OK;
}

Errno FindChild(Node* directory, const char* text, uint32_t bytes, Name** name) {
  *name = NULL;
  if (bytes > kLongestName) return E_NAMETOOLONG;
  *name = NameInMemory(&directory->directory, text, bytes);
  if (*name != NULL) return (*name)->node == NULL ? E_NOENT : E_OK;
  return FindInImage(directory, text, bytes, name);
}

Errno PutChild(Node* directory, const char* text, uint32_t bytes, Name* name, Node* node) {
  if (directory->name == NULL && directory != layer.tree.root) return E_NOENT;  // it was removed
  if (name == NULL) name = AddName(&directory->directory, text, bytes, false);
  if (name == NULL) return E_NOMEM;
  name->node = node;
  node->name = name;
  node->parent = directory;
  node->is_changed = true;
  return E_OK;
}

void RemoveChild(Node* directory, Name* name) {
  Node* node = name->node;
  const bool is_renamed = node->name != name;
  if (name->in_image) {
    name->node = NULL;
  } else {
    ForgetName(&directory->directory, name);
  }
  if (is_renamed) return;
  node->name = NULL;
  node->parent = NULL;
  if (node->references == 0) ReleaseNode(node);
}

bool HasChildren(const Node* node) {
  const Directory* directory = &node->directory;
  for (const Name* name = directory->first; name != NULL; name = name->next) {
    if (name->node != NULL) return true;
  }
  return directory->names_in_image < directory->image_children;
}
