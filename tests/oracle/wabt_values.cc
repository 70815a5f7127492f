#include "tests/oracle/wabt_values.h"

#include <cstring>
#include <utility>

namespace wb::oracle {
namespace {

// wabt's words and the specification's.
constexpr std::pair<const char*, const char*> kTraps[] = {
    {"unreachable executed", "unreachable"},
    {"undefined table index", "undefined element"},
    {"uninitialized table element", "uninitialized element"},
    {"indirect call signature mismatch", "indirect call type mismatch"},
    {"out of bounds memory access", "out of bounds memory access"},
    {"out of bounds table access", "out of bounds table access"},
};

}  // namespace

std::string SpecificationWords(const std::string& message) {
  for (const auto& [theirs, words] : kTraps) {
    if (message.compare(0, std::strlen(theirs), theirs) == 0) return words;
  }
  return message;
}

bool ToType(wabt::Type type, bool only_numbers, Type* out) {
  switch (type) {
    case wabt::Type::I32: *out = Type::kI32; return true;
    case wabt::Type::I64: *out = Type::kI64; return true;
    case wabt::Type::F32: *out = Type::kF32; return true;
    case wabt::Type::F64: *out = Type::kF64; return true;
    case wabt::Type::V128: *out = Type::kV128; return !only_numbers;
    case wabt::Type::FuncRef: *out = Type::kFuncRef; return !only_numbers;
    case wabt::Type::ExternRef: *out = Type::kExternRef; return !only_numbers;
    default: return false;
  }
}

bool ToTypes(const wabt::interp::ValueTypes& types, bool only_numbers, std::vector<Type>* out) {
  for (const wabt::Type type : types) {
    Type known;
    if (!ToType(type, only_numbers, &known)) return false;
    out->push_back(known);
  }
  return true;
}

wabt::interp::Value ToWabt(wabt::interp::Store& store, const Value& value) {
  using wabt::interp::Ref;
  const auto low = static_cast<uint32_t>(value.bits);
  float f32;
  double f64;
  v128 vector;
  std::memcpy(&f32, &low, sizeof f32);
  std::memcpy(&f64, &value.bits, sizeof f64);
  switch (value.type) {
    case Type::kI32: return wabt::interp::Value::Make(low);
    case Type::kI64: return wabt::interp::Value::Make(value.bits);
    case Type::kF32: return wabt::interp::Value::Make(f32);
    case Type::kF64: return wabt::interp::Value::Make(f64);
    case Type::kV128:
      vector.set_u64(0, value.bits);
      vector.set_u64(1, value.high);
      return wabt::interp::Value::Make(vector);
    default:
      return wabt::interp::Value::Make(
          value.bits == 0 ? Ref::Null : wabt::interp::Foreign::New(store, nullptr)->self());
  }
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
  } else if (type == Type::kF64) {
    const double f64 = value.Get<double>();
    std::memcpy(&out.bits, &f64, sizeof f64);
  } else if (type == Type::kV128) {
    out.bits = value.Get<v128>().u64(0);
    out.high = value.Get<v128>().u64(1);
  } else {
    out.bits = value.Get<wabt::interp::Ref>() == wabt::interp::Ref::Null ? 0 : 1;
  }
  return out;
}

Outcome OutcomeOf(const std::vector<Type>& types, const wabt::interp::Values& results,
                  const wabt::interp::Trap::Ptr& trap) {
  Outcome outcome;
  outcome.trapped = static_cast<bool>(trap);
  if (outcome.trapped) {
    outcome.trap = SpecificationWords(trap->message());
    return outcome;
  }
  for (size_t r = 0; r < results.size(); ++r) {
    outcome.results.push_back(FromWabt(types[r], results[r]));
  }
  return outcome;
}

}  // namespace wb::oracle
