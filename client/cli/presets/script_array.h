#pragma once

// AssemblyScript's Array<T>: the classes that a module has of it, and what the as-dynamic-array
// preset writes of their objects, which are four words: buffer, start of the data, bytes of the
// buffer, and how many elements there are. Pure.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "client/cli/presets/step_writer.h"
#include "client/cli/program/arg_spec.h"
#include "compiler/base/status.h"
#include "wasmburst/v1/modules.pb.h"

namespace wb::cli {

struct ScriptArrayClass {
  uint32_t number = 0;     // for __new
  uint32_t log2_size = 0;  // of an element's bytes
  std::string element;     // "i32", as elements:... names it
};

// Those whose elements are numbers, by number. The flags do not tell bool from u8.
std::vector<ScriptArrayClass> ScriptArrayClasses(const wasmburst::v1::Module& module);

// INVALID_ARGUMENT names those that the module has.
Result<ScriptArrayClass> ScriptArrayClassOf(const wasmburst::v1::Module& module,
                                            const std::string& element);

// How many elements each of an argument's texts has, as an argument. INVALID_ARGUMENT where one
// ends within an element.
Result<ArgSpec> ElementCounts(const ArgSpec& bytes, const std::string& name,
                              const ScriptArrayClass& type);

// The name in a job, and the binary, of a module that computes how many bytes the elements of an
// array are: no operand multiplies.
constexpr const char* kArrayBytesModule = "array-bytes";
std::string_view ArrayBytesModule();

// Calls that module once for each class; the bytes of the elements of `array`. Of an object of no
// such class a length that no memory has.
wasmburst::v1::Operand ArrayBytes(StepWriter* steps, const wasmburst::v1::Operand& array,
                                  const std::vector<ScriptArrayClass>& classes);

}  // namespace wb::cli
