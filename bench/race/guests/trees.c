// The decision trees of bench/guests, asked about 200 samples an instance.
#include "../../guests/trees.c"

__attribute__((export_name("trees"))) uint32_t Trees(uint32_t instance) {
  return Run(instance * 2654435761u + 1, 200);
}
