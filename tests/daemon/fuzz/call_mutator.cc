#include "tests/daemon/fuzz/call_mutator.h"

#include <google/protobuf/message.h>

#include <memory>
#include <utility>

#include "tests/daemon/fuzz/world_modules.h"

namespace wb {
namespace {

// A field of the message, at times its bytes.
void MutateMessage(FuzzCall* call, MessageMutator* mutator) {
  if (call->messages.empty()) call->messages.emplace_back();
  std::string& bytes = call->messages[mutator->Below(call->messages.size())];
  if (mutator->OneIn(10)) {
    bytes = mutator->Changed(std::move(bytes));
    return;
  }
  const google::protobuf::Descriptor* type =
      FuzzMethods()[call->method % FuzzMethods().size()].request;
  const std::unique_ptr<google::protobuf::Message> message(
      google::protobuf::MessageFactory::generated_factory()->GetPrototype(type)->New());
  (void)message->ParseFromString(bytes);
  for (uint64_t i = 1 + mutator->Below(3); i > 0; --i) mutator->Mutate(message.get());
  bytes = message->SerializePartialAsString();
}

void AddSeed(FuzzCalls* calls, MessageMutator* mutator) {
  const FuzzCalls& seed = WorldSeeds()[mutator->Below(WorldSeeds().size())];
  calls->insert(calls->begin() + static_cast<ptrdiff_t>(mutator->Below(calls->size() + 1)),
                seed.begin(), seed.end());
}

void MutateOnce(FuzzCalls* calls, MessageMutator* mutator) {
  if (calls->empty() || mutator->OneIn(20)) return AddSeed(calls, mutator);
  const uint64_t at = mutator->Below(calls->size());
  const auto place = calls->begin() + static_cast<ptrdiff_t>(at);
  FuzzCall& call = (*calls)[at];
  switch (mutator->Below(24)) {
    case 0: calls->erase(place); return;
    case 1: calls->insert(place, FuzzCall(call)); return;
    case 2: std::swap(call, (*calls)[mutator->Below(calls->size())]); return;
    case 3: call.caller = static_cast<uint8_t>(mutator->Below(5)); return;
    case 4: call.method = static_cast<uint8_t>(mutator->Below(FuzzMethods().size())); return;
    case 5: call.messages.emplace_back(); return MutateMessage(&call, mutator);
    case 6:
      if (!call.messages.empty()) call.messages.push_back(call.messages.back());
      return;
    case 7: {
      FuzzCall added;
      added.method = static_cast<uint8_t>(mutator->Below(FuzzMethods().size()));
      MutateMessage(&added, mutator);
      calls->push_back(std::move(added));
      return;
    }
    default: return MutateMessage(&call, mutator);
  }
}

}  // namespace

std::string MutateCalls(std::string_view input, uint64_t seed,
                        const MessageMutator::ChangeBytes& change) {
  MessageMutator mutator(seed, WorldWords(), change);
  FuzzCalls calls = DecodeCalls(input);
  for (uint64_t i = 1 + mutator.Below(2); i > 0; --i) MutateOnce(&calls, &mutator);
  return EncodeCalls(calls);
}

}  // namespace wb
