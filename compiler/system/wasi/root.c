// TreeRoot: the root of the file set, and the instance's own files in it.

#include "compiler/system/wasi/heap.h"
#include "compiler/system/wasi/layer.h"
#include "compiler/system/wasi/path.h"

// The root's own node; what the set says of it.
static Errno MakeRoot(Tree* tree) {
  tree->root = NewNode(TYPE_DIRECTORY);
  if (tree->root == NULL) return E_NOMEM;
  Hold(tree->root);
  tree->root->number = 1;
  ImageEntry entry;
  const Errno error = ImageEntryAt(0, &entry);
  if (error == E_NOENT) return E_OK;
  if (error != E_OK) return error;
  if (entry.type != TYPE_DIRECTORY) return E_IO;
  tree->root->accessed = tree->root->modified = entry.modified;
  tree->root->directory.image_first = entry.first_child;
  tree->root->directory.image_children = entry.children;
  return E_OK;
}

static Errno PutOwnFile(Node* directory, const char* text, uint32_t bytes, uint32_t input) {
  Name* name = NULL;
  const Errno found = FindChild(directory, text, bytes, &name);
  if (found != E_OK && found != E_NOENT) return found;
  const bool in_image = found == E_OK && name->in_image;
  if (found == E_OK) RemoveChild(directory, name);
  if (found == E_OK && !in_image) name = NULL;  // it is released with its node
  Node* node = NewNode(TYPE_REGULAR);
  if (node == NULL) return E_NOMEM;
  const int64_t size = InputSize(input);
  node->content.input = input;
  node->content.size = node->content.from_input = size < 0 ? 0 : (uint64_t)size;
  node->accessed = node->modified = TheConfig()->clock_start;
  const Errno error = PutChild(directory, text, bytes, name, node);
  if (error != E_OK) Release(node, sizeof(Node));
  return error;
}

// A path that leads nowhere is left out, as is a file that cannot be put where it wants to be.
static Errno AddOwnFile(Node* root, uint32_t input) {
  char* path = layer.paths[0];
  uint32_t bytes = InputRead(input, 0, path, kLongestPath);
  if (CleanPath(path, &bytes) != E_OK || bytes == 0) return E_OK;
  uint32_t folder = bytes;
  while (folder > 0 && path[folder - 1] != '/') --folder;
  Node* directory = NULL;
  Errno error = MakeDirectories(root, path, folder, &directory);
  if (error != E_OK) return error == E_NOMEM ? error : E_OK;
  error = PutOwnFile(directory, path + folder, bytes - folder, input + 1);
  Drop(directory);
  return error == E_NOMEM ? error : E_OK;
}

static Errno MakeTree(Tree* tree) {
  const Errno error = MakeRoot(tree);
  if (error != E_OK) return error;
  const uint32_t first = InputOfOwnFiles();
  for (uint32_t i = 0; i < TheConfig()->own_files; ++i) {
    const Errno added = AddOwnFile(tree->root, first + 2 * i);
    if (added != E_OK) return added;
  }
  return E_OK;
}

Errno TreeRoot(Node** root) {
  Tree* tree = &layer.tree;
  if (!tree->is_ready) {
    tree->is_ready = true;
    tree->error = MakeTree(tree);
  }
  *root = tree->root;
  return tree->error;
}
