// Recursion: Ackermann, Fibonacci, functions that call each other, a binary search tree.
#include "guest.h"

static uint32_t ackermann(uint32_t m, uint32_t n) {
  if (m == 0) return n + 1;
  if (n == 0) return ackermann(m - 1, 1);
  return ackermann(m - 1, ackermann(m, n - 1));
}

static uint32_t fibonacci(uint32_t n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }

// Hofstadter's female and male sequences.
static uint32_t male(uint32_t n);
static uint32_t female(uint32_t n) { return n == 0 ? 1 : n - male(female(n - 1)); }
static uint32_t male(uint32_t n) { return n == 0 ? 0 : n - female(male(n - 1)); }

static uint32_t hanoi(uint32_t disks, uint32_t from, uint32_t to) {
  if (disks == 0) return from * 3 + to;
  uint32_t spare = 3 - from - to;
  uint32_t first = hanoi(disks - 1, from, spare);
  uint32_t last = hanoi(disks - 1, spare, to);
  return (first * 31 + disks) ^ (last * 17);
}

typedef struct Node {
  int64_t key;
  struct Node* left;
  struct Node* right;
} Node;

enum { kNodes = 200 };
static Node nodes[kNodes];

static Node* insert(Node* tree, Node* node) {
  if (tree == NULL) return node;
  if (node->key < tree->key) {
    tree->left = insert(tree->left, node);
  } else {
    tree->right = insert(tree->right, node);
  }
  return tree;
}

static uint32_t depth(const Node* tree) {
  if (tree == NULL) return 0;
  uint32_t left = depth(tree->left);
  uint32_t right = depth(tree->right);
  return 1 + (left > right ? left : right);
}

static uint64_t fold(const Node* tree, uint64_t sum) {
  if (tree == NULL) return sum;
  sum = fold(tree->left, sum);
  return fold(tree->right, sum * 31 + (uint64_t)tree->key);
}

EXPORT(run) uint32_t run(uint32_t seed) {
  seed_random(seed);
  out_u32(ackermann(2, seed % 9));
  out_u32(fibonacci(8 + seed % 8));
  out_u32(female(seed % 40));
  out_u32(hanoi(4 + seed % 6, 0, 2));
  Node* tree = NULL;
  for (int i = 0; i < kNodes; ++i) {
    nodes[i].key = (int64_t)next_random() << (next_random() % 24);
    tree = insert(tree, &nodes[i]);
  }
  out_u32(depth(tree));
  out_u64(fold(tree, seed));
  return guest_output_size;
}
