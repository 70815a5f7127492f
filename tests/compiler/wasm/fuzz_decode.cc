// Any bytes must give a module or an error with a place. libFuzzer's entry; with WB_FUZZ=ON.

#include <cstddef>
#include <cstdint>

#include "compiler/base/check.h"
#include "compiler/wasm/module.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  wb::Result<std::shared_ptr<const wb::Module>> module = wb::Module::Decode({data, size});
  if (!module.ok()) {
    WB_CHECK(!module.status().details().empty());
    WB_CHECK(module.status().details()[0].key == "offset");
    return 0;
  }
  const wb::Module& decoded = **module;
  WB_CHECK(decoded.bodies.size() + decoded.imported_functions == decoded.functions.size());
  for (const wb::Body& body : decoded.bodies) {
    uint32_t last = body.offset;
    for (const wb::Instruction& instruction : body.instructions) {
      WB_CHECK(instruction.offset > last);
      last = instruction.offset;
    }
    WB_CHECK(last < body.end_offset && data[body.end_offset] == 0x0b);
  }
  return 0;
}
