#include "client/cli/presets/allocators.h"

#include <algorithm>
#include <iterator>

namespace wb::cli {
namespace {

namespace v1 = wasmburst::v1;
using enum AllocatorParameter;

struct Row {
  AllocatorFamily family;
  const char* allocate;
  std::vector<AllocatorParameter> allocate_parameters;
  const char* release;
  std::vector<AllocatorParameter> release_parameters;
};

const std::vector<Row>& Rows() {
  using enum AllocatorFamily;
  static const std::vector<Row> rows = {
      {kWasmBindgen,
       "__wbindgen_malloc",
       {kLength, kAlignment},
       "__wbindgen_free",
       {kPointer, kLength, kAlignment}},
      {kWasmBindgen, "__wbindgen_malloc", {kLength}, "__wbindgen_free", {kPointer, kLength}},
      {kAssemblyScript, "__new", {kLength, kClass}, "__unpin", {kPointer}},
      {kPlain, "malloc", {kLength}, "free", {kPointer}},
      {kPlain, "_malloc", {kLength}, "_free", {kPointer}},
      {kPlain, "alloc", {kLength}, "dealloc", {kPointer, kLength}},
      {kPlain, "alloc", {kLength}, "dealloc", {kPointer}},
      {kPlain, "alloc", {kLength}, "free", {kPointer}},
      {kPlain, "allocate", {kLength}, "deallocate", {kPointer, kLength}},
      {kPlain, "allocate", {kLength}, "deallocate", {kPointer}},
  };
  return rows;
}

bool IsI32(int type) { return type == v1::I32; }

}  // namespace

bool HasFunction(const v1::Module& module, std::string_view name, size_t parameters,
                 size_t results) {
  return std::any_of(
      module.exports().begin(), module.exports().end(), [&](const v1::ModuleExport& exported) {
        return exported.kind() == "function" && exported.name() == name &&
               static_cast<size_t>(exported.params_size()) == parameters &&
               static_cast<size_t>(exported.results_size()) == results &&
               std::all_of(exported.params().begin(), exported.params().end(), IsI32) &&
               std::all_of(exported.results().begin(), exported.results().end(), IsI32);
      });
}

std::optional<Allocator> FindAllocator(const v1::Module& module, AllocatorFamily family) {
  std::optional<Allocator> without_release;
  for (const Row& row : Rows()) {
    if (row.family != family) continue;
    if (!HasFunction(module, row.allocate, row.allocate_parameters.size(), 1)) continue;
    Allocator found{row.allocate, row.allocate_parameters, row.release, row.release_parameters};
    const size_t released = row.release_parameters.size();
    const bool has_release = HasFunction(module, row.release, released, 0) ||
                             HasFunction(module, row.release, released, 1);
    if (has_release) return found;
    found.release.clear();
    found.release_parameters.clear();
    if (!without_release) without_release = found;
  }
  return without_release;
}

bool IsSupportExport(std::string_view name) {
  if (name.starts_with("__") || name == "_start" || name == "_initialize") return true;
  return std::any_of(Rows().begin(), Rows().end(), [name](const Row& row) {
    return name == row.allocate || name == row.release;
  });
}

}  // namespace wb::cli
