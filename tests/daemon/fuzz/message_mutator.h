#pragma once

// Changes of a message field by field, so that what a fuzzer sends is mostly well formed and mostly
// wrong in one place. Pure but for its random numbers, which follow from the seed.

#include <google/protobuf/message.h>

#include <functional>
#include <random>
#include <string>
#include <vector>

namespace wb {

// Texts and bytes that are worth trying.
struct FuzzWords {
  std::vector<std::string> texts;
  std::vector<std::string> bytes;
};

class MessageMutator {
 public:
  // Other bytes in the place of these; libFuzzer's, or any.
  using ChangeBytes = std::function<std::string(std::string)>;

  // `words` outlives this.
  MessageMutator(uint64_t seed, const FuzzWords& words, ChangeBytes change)
      : random_(seed), words_(words), change_(std::move(change)) {}

  // One field, at whatever depth, is set, changed, added or left out.
  void Mutate(google::protobuf::Message* message) { MutateAt(message, 0); }
  uint64_t Below(uint64_t bound) { return bound == 0 ? 0 : random_() % bound; }
  bool OneIn(uint64_t many) { return Below(many) == 0; }
  std::string Changed(std::string bytes) { return change_(std::move(bytes)); }

 private:
  void MutateAt(google::protobuf::Message* message, int depth);
  void MutateRepeated(google::protobuf::Message* message,
                      const google::protobuf::FieldDescriptor* field, int depth);
  void PutScalar(google::protobuf::Message* message,
                 const google::protobuf::FieldDescriptor* field);
  void PutText(google::protobuf::Message* message, const google::protobuf::FieldDescriptor* field);
  const google::protobuf::FieldDescriptor* Choose(const google::protobuf::Message& message);
  uint64_t Number();

  std::mt19937_64 random_;
  const FuzzWords& words_;
  const ChangeBytes change_;
};

}  // namespace wb
