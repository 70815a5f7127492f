#include "daemon/translate/translate_binding.h"

#include <cstring>
#include <optional>

#include "daemon/translate/translate_host_call.h"
#include "daemon/translate/translate_lookup.h"
#include "daemon/translate/translate_value.h"
#include "wasmburst/v1/jobs.pb.h"

namespace wb {
namespace {

namespace v1 = wasmburst::v1;

constexpr int kMostBindings = 4096;
constexpr int kMostValues = 1000;
constexpr size_t kLongestImport = 2049;  // two names of 1,024 bytes and a dot

template <typename Values>
Result<std::vector<BoundValue>> ValuesFromProto(const Values& values, const std::string& field) {
  if (values.size() > kMostValues) return FieldError(field, "has more than 1,000 values");
  std::vector<BoundValue> bound;
  for (int i = 0; i < values.size(); ++i) {
    const std::string at = field + "[" + std::to_string(i) + "]";
    WB_ASSIGN(const Value value, ValueFromProto(values.Get(i), at));
    if (value.type == ValueType::kV128) return FieldError(at, "is a v128; only numbers are bound");
    bound.push_back({value.type, value.bits()});
  }
  return bound;
}

Result<std::vector<CallBytes>> AllCallBytesFromProto(const v1::Binding::Host& proto,
                                                     const std::string& field) {
  if (proto.bytes_size() > static_cast<int>(kMostCallBytes)) {
    return FieldError(field, "has more than 8");
  }
  std::vector<CallBytes> all;
  for (int i = 0; i < proto.bytes_size(); ++i) {
    WB_ASSIGN(const CallBytes bytes,
              CallBytesFromProto(proto.bytes(i), field + "[" + std::to_string(i) + "]"));
    all.push_back(bytes);
  }
  return all;
}

Result<Binding> BindingFromProto(const v1::Binding& proto, const std::string& field) {
  Binding binding;
  binding.import = proto.import();
  if (binding.import.empty() || binding.import.size() > kLongestImport) {
    return FieldError(field + ".import", "needs MODULE.NAME, of at most 2,049 bytes");
  }
  switch (proto.way_case()) {
    case v1::Binding::kConstant: {
      binding.way = Binding::Way::kConstant;
      WB_ASSIGN(binding.values,
                ValuesFromProto(proto.constant().values(), field + ".constant.values"));
      return binding;
    }
    case v1::Binding::kRecord: {
      binding.way = Binding::Way::kRecord;
      WB_ASSIGN(binding.values,
                ValuesFromProto(proto.record().results(), field + ".record.results"));
      return binding;
    }
    case v1::Binding::kTrap: binding.way = Binding::Way::kTrap; return binding;
    case v1::Binding::kIgnore: binding.way = Binding::Way::kIgnore; return binding;
    case v1::Binding::kHost: {
      binding.way = Binding::Way::kHost;
      WB_ASSIGN(binding.bytes, AllCallBytesFromProto(proto.host(), field + ".host.bytes"));
      return binding;
    }
    case v1::Binding::kLookup: {
      binding.way = Binding::Way::kLookup;
      WB_ASSIGN(binding.table, TableFromProto(proto.lookup(), field + ".lookup"));
      WB_ASSIGN(binding.values,
                ValuesFromProto(proto.lookup().otherwise(), field + ".lookup.otherwise"));
      return binding;
    }
    case v1::Binding::WAY_NOT_SET: break;
  }
  return FieldError(field, "is neither constant, trap, ignore, record, lookup nor host");
}

// The values of 64 bits that records consist of.
class RecordReader {
 public:
  explicit RecordReader(ByteView bytes) : rest_(bytes) {}

  std::optional<uint64_t> Next() {
    uint64_t bits = 0;
    if (rest_.size() < sizeof bits) return std::nullopt;
    std::memcpy(&bits, rest_.data(), sizeof bits);
    rest_ = rest_.subspan(sizeof bits);
    return bits;
  }
  std::optional<Value> NextOf(ValueType type) {
    const std::optional<uint64_t> low = Next();
    if (!low) return std::nullopt;
    Value value = ValueOfBits(type, *low);
    if (type != ValueType::kV128) return value;
    const std::optional<uint64_t> high = Next();
    if (!high) return std::nullopt;
    value.words[2] = static_cast<uint32_t>(*high);
    value.words[3] = static_cast<uint32_t>(*high >> 32);
    return value;
  }

 private:
  ByteView rest_;
};

}  // namespace

Result<std::vector<Binding>> BindingsFromProto(const v1::Job& proto) {
  if (proto.bindings_size() > kMostBindings)
    return FieldError("job.bindings", "has more than 4,096");
  std::vector<Binding> bindings;
  for (int i = 0; i < proto.bindings_size(); ++i) {
    const std::string field = "job.bindings[" + std::to_string(i) + "]";
    WB_ASSIGN(Binding binding, BindingFromProto(proto.bindings(i), field));
    bindings.push_back(std::move(binding));
  }
  return bindings;
}

void BindingToProto(const Binding& binding, v1::Binding* proto) {
  proto->set_import(binding.import);
  const auto add = [&binding](auto* values) {
    for (const BoundValue& value : binding.values) {
      ValueToProto(ValueOfBits(value.type, value.bits), values->Add());
    }
  };
  switch (binding.way) {
    case Binding::Way::kConstant: add(proto->mutable_constant()->mutable_values()); break;
    case Binding::Way::kRecord: add(proto->mutable_record()->mutable_results()); break;
    case Binding::Way::kLookup: add(proto->mutable_lookup()->mutable_otherwise()); break;
    case Binding::Way::kTrap: proto->mutable_trap(); break;
    case Binding::Way::kIgnore: proto->mutable_ignore(); break;
    case Binding::Way::kHost:
      for (const CallBytes& bytes : binding.bytes) {
        CallBytesToProto(bytes, proto->mutable_host()->add_bytes());
      }
      proto->mutable_host();
      break;
  }
}

bool IsRecord(const std::string& output) { return output == StreamName({}, kRecordStream); }

void CallsToProto(ByteView bytes, const std::vector<RecordedImport>& recorded,
                  google::protobuf::RepeatedPtrField<v1::ImportCall>* calls) {
  RecordReader reader(bytes);
  while (const std::optional<uint64_t> number = reader.Next()) {
    if (*number >= recorded.size()) return;
    const RecordedImport& import = recorded[*number];
    v1::ImportCall call;
    call.set_import(import.name);
    for (const ValueType type : import.params) {
      const std::optional<Value> value = reader.NextOf(type);
      if (!value) return;
      ValueToProto(*value, call.add_args());
    }
    *calls->Add() = std::move(call);
  }
}

}  // namespace wb
