#include "tests/daemon/fuzz/message_mutator.h"

#include <array>
#include <limits>

namespace wb {
namespace {

using google::protobuf::FieldDescriptor;
using google::protobuf::Message;
using google::protobuf::Reflection;

constexpr int kDeepest = 12;  // operands hold operands

}  // namespace

// Of the fields that are set two times in three, so that depths are reached.
const FieldDescriptor* MessageMutator::Choose(const Message& message) {
  std::vector<const FieldDescriptor*> set;
  message.GetReflection()->ListFields(message, &set);
  if (!set.empty() && !OneIn(3)) return set[Below(set.size())];
  const auto all = static_cast<uint64_t>(message.GetDescriptor()->field_count());
  return all == 0 ? nullptr : message.GetDescriptor()->field(static_cast<int>(Below(all)));
}

void MessageMutator::MutateAt(Message* message, int depth) {
  const FieldDescriptor* field = Choose(*message);
  if (field == nullptr || depth > kDeepest) return;
  const Reflection& reflection = *message->GetReflection();
  if (field->is_repeated()) return MutateRepeated(message, field, depth);
  if (field->message_type() == nullptr) {
    return OneIn(8) ? reflection.ClearField(message, field) : PutScalar(message, field);
  }
  if (reflection.HasField(*message, field) && OneIn(12)) {
    return reflection.ClearField(message, field);
  }
  MutateAt(reflection.MutableMessage(message, field), depth + 1);
}

void MessageMutator::MutateRepeated(Message* message, const FieldDescriptor* field, int depth) {
  const Reflection& reflection = *message->GetReflection();
  const int size = reflection.FieldSize(*message, field);
  const auto any = [&] { return static_cast<int>(Below(static_cast<uint64_t>(size))); };
  const uint64_t way = Below(8);
  if (size > 0 && way == 0) return reflection.RemoveLast(message, field);
  if (size > 1 && way == 1) return reflection.SwapElements(message, field, any(), any());
  if (field->message_type() == nullptr) return PutScalar(message, field);
  if (size > 0 && way > 2) {
    return MutateAt(reflection.MutableRepeatedMessage(message, field, any()), depth + 1);
  }
  Message* added = reflection.AddMessage(message, field);
  if (size > 0 && OneIn(2)) added->CopyFrom(reflection.GetRepeatedMessage(*message, field, any()));
  MutateAt(added, depth + 1);
}

uint64_t MessageMutator::Number() {
  constexpr std::array<uint64_t, 18> kBounds = {0,
                                                1,
                                                2,
                                                3,
                                                4,
                                                7,
                                                8,
                                                16,
                                                64,
                                                100,
                                                1000,
                                                1024,
                                                0x7fffffff,
                                                0x80000000,
                                                0xffffffff,
                                                uint64_t{1} << 40,
                                                uint64_t{1} << 62,
                                                uint64_t{1} << 63};
  switch (Below(4)) {
    case 0: return Below(5);
    case 1: return random_();
    case 2: return kBounds[Below(kBounds.size())];
    default: return kBounds[Below(kBounds.size())] - 1;  // also the highest of all
  }
}

void MessageMutator::PutText(Message* message, const FieldDescriptor* field) {
  const Reflection& reflection = *message->GetReflection();
  const bool is_text = field->type() == FieldDescriptor::TYPE_STRING;
  const std::vector<std::string>& words = is_text ? words_.texts : words_.bytes;
  std::string text = words.empty() ? "" : words[Below(words.size())];
  if (!field->is_repeated() && OneIn(3)) text = reflection.GetString(*message, field);
  if (OneIn(4)) text = change_(std::move(text));
  field->is_repeated() ? reflection.AddString(message, field, text)
                       : reflection.SetString(message, field, text);
}

void MessageMutator::PutScalar(Message* message, const FieldDescriptor* field) {
  const Reflection& to = *message->GetReflection();
  const bool add = field->is_repeated();
  const uint64_t number = Number();
// One case for each type of number, set or added.
#define WB_PUT(kind, name, value)       \
  case FieldDescriptor::CPPTYPE_##kind: \
    return add ? to.Add##name(message, field, value) : to.Set##name(message, field, value)
  switch (field->cpp_type()) {
    WB_PUT(INT32, Int32, static_cast<int32_t>(number));
    WB_PUT(INT64, Int64, static_cast<int64_t>(number));
    WB_PUT(UINT32, UInt32, static_cast<uint32_t>(number));
    WB_PUT(UINT64, UInt64, number);
    WB_PUT(DOUBLE, Double, static_cast<double>(number));
    WB_PUT(FLOAT, Float, static_cast<float>(number));
    WB_PUT(BOOL, Bool, (number & 1) != 0);
    WB_PUT(ENUM, EnumValue, static_cast<int>(OneIn(8) ? number : Below(8)));
    case FieldDescriptor::CPPTYPE_STRING: return PutText(message, field);
    case FieldDescriptor::CPPTYPE_MESSAGE: return;
  }
#undef WB_PUT
}

}  // namespace wb
