#include "tests/compiler/link/linked_text.h"

#include "compiler/base/check.h"
#include "tests/compiler/wasm/assemble.h"

namespace wb::test {

std::shared_ptr<const Module> DecodeText(std::string_view wat) {
  auto module = Module::Decode(MustAssemble(wat));
  WB_CHECK(module.ok());
  return *module;
}

Result<std::shared_ptr<const Module>> LinkText(const std::vector<NamedText>& modules,
                                               Instantiation when, const Imports& host) {
  std::vector<std::pair<std::string, std::shared_ptr<const Module>>> decoded;
  for (const auto& [name, wat] : modules) decoded.emplace_back(name, DecodeText(wat));
  return Link(PartsByName(decoded), host, when);
}

}  // namespace wb::test
