#include "tests/oracle/oracle.h"

#include <wabt/binary-reader.h>
#include <wabt/error.h>
#include <wabt/feature.h>
#include <wabt/interp/binary-reader-interp.h>
#include <wabt/interp/interp.h>

#include <cstring>
#include <utility>

namespace wb::oracle {
namespace {

using wabt::interp::DefinedFunc;
using wabt::interp::Instance;
using wabt::interp::Ref;

// wabt's words and the specification's.
constexpr std::pair<const char*, const char*> kTraps[] = {
    {"unreachable executed", "unreachable"},
    {"undefined table index", "undefined element"},
    {"uninitialized table element", "uninitialized element"},
    {"indirect call signature mismatch", "indirect call type mismatch"},
    {"out of bounds memory access", "out of bounds memory access"},
    {"out of bounds table access", "out of bounds table access"},
};

std::string SpecificationWords(const std::string& message) {
  for (const auto& [theirs, words] : kTraps) {
    if (message.compare(0, std::strlen(theirs), theirs) == 0) return words;
  }
  return message;
}

bool ToType(wabt::Type type, Type* out) {
  switch (type) {
    case wabt::Type::I32: *out = Type::kI32; return true;
    case wabt::Type::I64: *out = Type::kI64; return true;
    case wabt::Type::F32: *out = Type::kF32; return true;
    case wabt::Type::F64: *out = Type::kF64; return true;
    default: return false;
  }
}

bool ToTypes(const wabt::interp::ValueTypes& types, std::vector<Type>* out) {
  for (const wabt::Type type : types) {
    Type number;
    if (!ToType(type, &number)) return false;
    out->push_back(number);
  }
  return true;
}

wabt::interp::Value ToWabt(const Value& value) {
  const auto low = static_cast<uint32_t>(value.bits);
  float f32;
  double f64;
  std::memcpy(&f32, &low, sizeof f32);
  std::memcpy(&f64, &value.bits, sizeof f64);
  switch (value.type) {
    case Type::kI32: return wabt::interp::Value::Make(low);
    case Type::kI64: return wabt::interp::Value::Make(value.bits);
    case Type::kF32: return wabt::interp::Value::Make(f32);
    case Type::kF64: return wabt::interp::Value::Make(f64);
  }
  return {};
}

Value FromWabt(Type type, const wabt::interp::Value& value) {
  Value out{type, 0};
  if (type == Type::kI32) {
    out.bits = value.Get<uint32_t>();
  } else if (type == Type::kI64) {
    out.bits = value.Get<uint64_t>();
  } else if (type == Type::kF32) {
    const float f32 = value.Get<float>();
    std::memcpy(&out.bits, &f32, sizeof f32);
  } else {
    const double f64 = value.Get<double>();
    std::memcpy(&out.bits, &f64, sizeof f64);
  }
  return out;
}

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
    if (!ToTypes(type.params, &entry.params) || !ToTypes(type.results, &entry.results)) continue;
    exports_.push_back(std::move(entry));
    functions_.push_back(instance_->exports()[i]);
  }
}

Outcome WabtOracle::Call(const std::string& name, const std::vector<Value>& args) {
  Outcome outcome;
  for (size_t i = 0; i < exports_.size(); ++i) {
    if (exports_[i].name != name) continue;
    wabt::interp::Values params;
    for (const Value& value : args) params.push_back(ToWabt(value));
    wabt::interp::Values results;
    wabt::interp::Trap::Ptr trap;
    const auto function = store_.UnsafeGet<wabt::interp::Func>(functions_[i]);
    function->Call(store_, params, results, &trap);
    outcome.trapped = static_cast<bool>(trap);
    if (outcome.trapped) {
      outcome.trap = SpecificationWords(trap->message());
      return outcome;
    }
    for (size_t r = 0; r < results.size(); ++r) {
      outcome.results.push_back(FromWabt(exports_[i].results[r], results[r]));
    }
    return outcome;
  }
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
    if (ToType(global->type().type, &type)) values.push_back(FromWabt(type, global->Get()));
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
