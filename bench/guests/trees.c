// A forest of decision trees made from a constant, asked about samples made from the seed: jumps
// through memory that differ from instance to instance.
#include <stdint.h>

enum { kTrees = 16, kDepth = 7, kNodes = 1 << kDepth, kFeatures = 16 };
typedef struct {
  uint8_t feature;
  uint8_t bound;
} Node;
static Node trees[kTrees][kNodes];
static uint8_t sample[kFeatures];

static uint32_t Next(uint32_t* state) { return *state = *state * 1664525u + 1013904223u; }

__attribute__((export_name("run"))) uint32_t Run(uint32_t seed, uint32_t rounds) {
  uint32_t state = 7;
  for (int tree = 0; tree < kTrees; ++tree) {
    for (int node = 0; node < kNodes; ++node) {
      const uint32_t drawn = Next(&state);
      trees[tree][node] = (Node){(uint8_t)((drawn >> 8) % kFeatures), (uint8_t)(drawn >> 24)};
    }
  }
  uint32_t votes = 0;
  for (uint32_t round = 0; round < rounds; ++round) {
    for (int i = 0; i < kFeatures; ++i) sample[i] = (uint8_t)(Next(&seed) >> 24);
    for (int tree = 0; tree < kTrees; ++tree) {
      uint32_t node = 1;
      while (node < kNodes) {
        const Node at = trees[tree][node];
        node = 2 * node + (sample[at.feature] > at.bound);
      }
      votes += node & 1;
    }
  }
  return votes;
}
