#include "tests/oracle/oracle.h"

#include <wabt/binary-reader.h>
#include <wabt/error.h>
#include <wabt/feature.h>
#include <wabt/interp/binary-reader-interp.h>
#include <wabt/interp/interp.h>

#include <utility>

#include "tests/oracle/wabt_values.h"

namespace wb::oracle {
namespace {

using wabt::interp::Instance;
using wabt::interp::Ref;

class WabtOracle final : public Oracle {
 public:
  bool Start(const std::vector<uint8_t>& wasm, std::string* error);
  const std::vector<Export>& exports() const override { return exports_; }
  Outcome Call(const std::string& name, const std::vector<Value>& args) override;
  std::vector<uint8_t> Memory() const override;
  std::vector<Value> Globals() const override;

 private:
  void ListExports(const wabt::interp::Module& module);

  mutable wabt::interp::Store store_;
  Instance::Ptr instance_;
  std::vector<Export> exports_;
  std::vector<Ref> functions_;  // of exports_
};

bool WabtOracle::Start(const std::vector<uint8_t>& wasm, std::string* error) {
  wabt::Errors errors;
  wabt::interp::ModuleDesc desc;
  const wabt::ReadBinaryOptions options(store_.features(), nullptr, false, true, true);
  if (wabt::Failed(wabt::interp::ReadBinaryInterp("module", wasm.data(), wasm.size(), options,
                                                  &errors, &desc))) {
    *error = errors.empty() ? "not read" : errors[0].message;
    return false;
  }
  if (!desc.imports.empty()) {
    *error = "it has imports";
    return false;
  }
  const auto module = wabt::interp::Module::New(store_, std::move(desc));
  wabt::interp::Trap::Ptr trap;
  instance_ = Instance::Instantiate(store_, module.ref(), {}, &trap);
  if (!instance_) {
    *error = SpecificationWords(trap->message());
    return false;
  }
  ListExports(*module);
  return true;
}

void WabtOracle::ListExports(const wabt::interp::Module& module) {
  for (size_t i = 0; i < module.export_types().size(); ++i) {
    const auto& exported = module.export_types()[i];
    if (exported.type->kind != wabt::ExternalKind::Func) continue;
    const auto& type = static_cast<const wabt::interp::FuncType&>(*exported.type);
    Export entry;
    entry.name = exported.name;
    if (!ToTypes(type.params, true, &entry.params)) continue;
    if (!ToTypes(type.results, true, &entry.results)) continue;
    exports_.push_back(std::move(entry));
    functions_.push_back(instance_->exports()[i]);
  }
}

Outcome WabtOracle::Call(const std::string& name, const std::vector<Value>& args) {
  for (size_t i = 0; i < exports_.size(); ++i) {
    if (exports_[i].name != name) continue;
    wabt::interp::Values params;
    for (const Value& value : args) params.push_back(ToWabt(store_, value));
    wabt::interp::Values results;
    wabt::interp::Trap::Ptr trap;
    const auto function = store_.UnsafeGet<wabt::interp::Func>(functions_[i]);
    function->Call(store_, params, results, &trap);
    return OutcomeOf(exports_[i].results, results, trap);
  }
  Outcome outcome;
  outcome.trapped = true;
  outcome.trap = "no export is named [" + name + "]";
  return outcome;
}

std::vector<uint8_t> WabtOracle::Memory() const {
  if (instance_->memories().empty()) return {};
  const auto memory = store_.UnsafeGet<wabt::interp::Memory>(instance_->memories()[0]);
  const uint8_t* data = memory->UnsafeData();
  return {data, data + memory->ByteSize()};
}

std::vector<Value> WabtOracle::Globals() const {
  std::vector<Value> values;
  for (const Ref ref : instance_->globals()) {
    const auto global = store_.UnsafeGet<wabt::interp::Global>(ref);
    Type type;
    if (ToType(global->type().type, true, &type)) values.push_back(FromWabt(type, global->Get()));
  }
  return values;
}

}  // namespace

std::unique_ptr<Oracle> Oracle::Open(const std::vector<uint8_t>& wasm, std::string* error) {
  auto oracle = std::make_unique<WabtOracle>();
  if (!oracle->Start(wasm, error)) return nullptr;
  return oracle;
}

}  // namespace wb::oracle
