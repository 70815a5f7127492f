#include "tests/daemon/fake_system.h"

#include <string>
#include <string_view>
#include <utility>

#include "client/cli/program/wat.h"
#include "compiler/link/link.h"
#include "daemon/translate/translate_command.h"

namespace wb {
namespace {

constexpr std::string_view kSystem = R"((module
  (func (export "finish"))
  (func (export "proc_exit") (param i32))
  (func (export "fd_write") (param i32 i32 i32 i32) (result i32) (i32.const 0))))";

}  // namespace

Result<std::shared_ptr<const Module>> LinkFakeSystem(const NamedModules& modules) {
  WB_ASSIGN(const std::string binary, cli::AssembleWat(std::string(kSystem), "system.wat"));
  WB_ASSIGN(std::shared_ptr<const Module> system, Module::Decode(AsBytes(binary)));
  NamedModules all = {{kSystemModule, std::move(system)}};
  all.insert(all.end(), modules.begin(), modules.end());
  std::vector<LinkPart> parts = PartsByName(all);
  for (LinkPart& part : parts) {
    if (part.name != kSystemModule) part.imports_from["wasi_snapshot_preview1"] = 0;
  }
  return Link(parts, {}, Instantiation::kAtStart);
}

}  // namespace wb
