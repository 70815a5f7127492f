#include "tests/oracle/linked_oracle.h"

#include <wabt/binary-reader.h>
#include <wabt/error.h>
#include <wabt/feature.h>
#include <wabt/interp/binary-reader-interp.h>

#include <utility>

#include "tests/oracle/wabt_values.h"

namespace wb::oracle {
namespace {

using wabt::interp::Instance;
using wabt::interp::RefVec;

Outcome Failed(std::string why) {
  Outcome outcome;
  outcome.trapped = true;
  outcome.trap = std::move(why);
  return outcome;
}

// What our engines read besides the core, but for tail calls, which lose values here.
wabt::Features WithProposals() {
  wabt::Features features;
  features.enable_extended_const();
  features.enable_multi_memory();
  return features;
}

class WabtLinkedOracle final : public LinkedOracle {
 public:
  bool Read(const std::vector<Part>& parts, std::string* error);
  Outcome Instantiate(uint32_t part) override;
  Outcome Call(uint32_t part, const std::string& name, const std::vector<Value>& args) override;

 private:
  struct Held {
    wabt::interp::Module::Ptr module;
    Instance::Ptr instance;
    std::map<std::string, uint32_t> imports_from;
  };
  bool ImportsOf(const Held& held, RefVec* imports) const;

  wabt::interp::Store store_{WithProposals()};
  std::vector<Held> held_;
};

bool WabtLinkedOracle::Read(const std::vector<Part>& parts, std::string* error) {
  const wabt::ReadBinaryOptions options(store_.features(), nullptr, false, true, true);
  for (const Part& part : parts) {
    wabt::Errors errors;
    wabt::interp::ModuleDesc desc;
    if (wabt::Failed(wabt::interp::ReadBinaryInterp("module", part.wasm.data(), part.wasm.size(),
                                                    options, &errors, &desc))) {
      *error = errors.empty() ? "not read" : errors[0].message;
      return false;
    }
    held_.push_back({wabt::interp::Module::New(store_, std::move(desc)), {}, part.imports_from});
  }
  return true;
}

bool WabtLinkedOracle::ImportsOf(const Held& held, RefVec* imports) const {
  for (const wabt::interp::ImportType& import : held.module->import_types()) {
    const auto from = held.imports_from.find(import.module);
    if (from == held.imports_from.end()) return false;
    const Held& provider = held_[from->second];
    if (!provider.instance) return false;
    const auto& types = provider.module->export_types();
    for (size_t i = 0; i < types.size(); ++i) {
      if (types[i].name == import.name) imports->push_back(provider.instance->exports()[i]);
    }
  }
  return imports->size() == held.module->import_types().size();
}

Outcome WabtLinkedOracle::Instantiate(uint32_t part) {
  Held& held = held_[part];
  RefVec imports;
  if (!ImportsOf(held, &imports)) return Failed("an import is not provided");
  wabt::interp::Trap::Ptr trap;
  held.instance = Instance::Instantiate(store_, held.module.ref(), imports, &trap);
  if (!held.instance) return OutcomeOf({}, {}, trap);
  return {};
}

Outcome WabtLinkedOracle::Call(uint32_t part, const std::string& name,
                               const std::vector<Value>& args) {
  const Held& held = held_[part];
  if (!held.instance) return Failed("there is no instance");
  const auto& exports = held.module->export_types();
  for (size_t i = 0; i < exports.size(); ++i) {
    if (exports[i].name != name || exports[i].type->kind != wabt::ExternalKind::Func) continue;
    std::vector<Type> types;
    if (!ToTypes(static_cast<const wabt::interp::FuncType&>(*exports[i].type).results, false,
                 &types)) {
      return Failed("the results of [" + name + "] are of unknown types");
    }
    wabt::interp::Values params;
    for (const Value& value : args) params.push_back(ToWabt(store_, value));
    wabt::interp::Values results;
    wabt::interp::Trap::Ptr trap;
    const auto function = store_.UnsafeGet<wabt::interp::Func>(held.instance->exports()[i]);
    function->Call(store_, params, results, &trap);
    return OutcomeOf(types, results, trap);
  }
  return Failed("no export is named [" + name + "]");
}

}  // namespace

std::unique_ptr<LinkedOracle> LinkedOracle::Open(const std::vector<Part>& parts,
                                                 std::string* error) {
  auto oracle = std::make_unique<WabtLinkedOracle>();
  if (!oracle->Read(parts, error)) return nullptr;
  return oracle;
}

}  // namespace wb::oracle
