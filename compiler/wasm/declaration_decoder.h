#pragma once

// Private to compiler/wasm: what a module declares: types, functions, tables and memories, of its
// own and imported, imported globals, exports and the start function.

#include <set>
#include <string_view>

#include "compiler/wasm/decode_state.h"

namespace wb {

class DeclarationDecoder : public DecodeState {
 protected:
  using DecodeState::DecodeState;

  Result OnFuncType(Index index, Index param_count, Type* params, Index result_count,
                    Type* results) override;
  Result OnImportFunc(Index import, std::string_view module, std::string_view name, Index index,
                      Index type) override;
  Result OnImportTable(Index import, std::string_view module, std::string_view name, Index index,
                       Type type, const wabt::Limits* limits) override;
  Result OnImportMemory(Index import, std::string_view module, std::string_view name, Index index,
                        const wabt::Limits* limits) override;
  Result OnImportGlobal(Index import, std::string_view module, std::string_view name, Index index,
                        Type type, bool is_mutable) override;
  Result OnFunction(Index index, Index type) override;
  Result OnTable(Index index, Type type, const wabt::Limits* limits) override;
  Result OnMemory(Index index, const wabt::Limits* limits) override;
  Result OnExport(Index index, wabt::ExternalKind kind, Index item, std::string_view name) override;
  Result OnStartFunction(Index function) override;

 private:
  Result AddFunction(Index type, bool imported);
  Result AddTable(Type type, const wabt::Limits& limits, bool imported);
  Result AddMemory(const wabt::Limits& limits, bool imported);

  std::set<std::string_view> export_names_;  // into the binary
};

}  // namespace wb
