#include "scheduler/job/host_calls/host_image.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <optional>

#include "scheduler/base/quoted.h"
#include "scheduler/devices/migration/image_words.h"

namespace wb {
namespace {

constexpr uint64_t kHeader = 1;  // the lane's words begin behind the first of the state

uint32_t& LaneWord(LaneImage& image, uint32_t word) { return image.state[kHeader + word]; }
uint32_t LaneWord(const LaneImage& image, uint32_t word) { return image.state[kHeader + word]; }

// Memory 0 of an image: a bit for each block, then those that are not all zeros.
class ImageMemory {
 public:
  ImageMemory(const LaneImage& image, uint64_t at)
      : state_(image.state), at_(at), pages_(LaneWord(image, abi::LANE_PAGES)) {}

  uint64_t size() const { return pages_ * abi::PAGE_BYTES; }
  bool Holds(uint64_t from, uint64_t bytes) const { return from + bytes <= size(); }

  // The word where the block lies, or would lie.
  uint64_t BlockAt(uint64_t block) const {
    uint64_t before = 0;
    for (uint64_t w = 0; w < block / 32; ++w) before += std::popcount(state_[at_ + w]);
    const uint32_t lower = (uint32_t{1} << (block % 32)) - 1;
    before += std::popcount(state_[at_ + block / 32] & lower);
    return at_ + (pages_ * kPageBlocks + 31) / 32 + before * kBlockWords;
  }
  bool HasBlock(uint64_t block) const {
    return (state_[at_ + block / 32] >> (block % 32) & 1) != 0;
  }

  // [from, from + bytes) lies in it.
  Bytes Read(uint64_t from, uint64_t bytes) const {
    Bytes data(bytes);
    for (uint64_t done = 0; done < bytes;) {
      const uint64_t block = (from + done) / kBlockBytes;
      const uint64_t within = (from + done) % kBlockBytes;
      const uint64_t count = std::min(kBlockBytes - within, bytes - done);
      if (HasBlock(block)) {
        const auto* words = reinterpret_cast<const uint8_t*>(state_.data() + BlockAt(block));
        std::memcpy(data.data() + done, words + within, count);
      }
      done += count;
    }
    return data;
  }

 private:
  const std::vector<uint32_t>& state_;
  const uint64_t at_;
  const uint64_t pages_;
};

void WriteMemory(LaneImage& image, uint64_t at, uint64_t from, ByteView data) {
  const ImageMemory memory(image, at);
  for (uint64_t done = 0; done < data.size();) {
    const uint64_t block = (from + done) / kBlockBytes;
    const uint64_t within = (from + done) % kBlockBytes;
    const uint64_t count = std::min(kBlockBytes - within, data.size() - done);
    const uint64_t lies_at = memory.BlockAt(block);
    if (!memory.HasBlock(block)) {
      image.state.insert(image.state.begin() + static_cast<ptrdiff_t>(lies_at), kBlockWords, 0u);
      image.state[at + block / 32] |= uint32_t{1} << (block % 32);
    }
    auto* words = reinterpret_cast<uint8_t*>(image.state.data() + lies_at);
    std::memcpy(words + within, data.data() + done, count);
    done += count;
  }
}

// nullopt: it lies outside of memory, or the string has no end there.
std::optional<uint64_t> LengthOf(const CallBytes& bytes, const HostCall& call,
                                 const ImageMemory& memory) {
  if (bytes.how == CallBytes::Length::kConstant) return bytes.length;
  if (bytes.how == CallBytes::Length::kArgument) return call.args[bytes.length].words[0];
  const uint64_t from = call.args[bytes.pointer].words[0];
  if (from >= memory.size()) return std::nullopt;
  // One more byte than may be sent, so that a longer string is seen to be longer.
  const uint64_t most = std::min(memory.size() - from, kMostBytesOfCall + 1);
  const Bytes text = memory.Read(from, most);
  const auto end = std::find(text.begin(), text.end(), uint8_t{0});
  if (end == text.end() && from + most == memory.size()) return std::nullopt;
  return static_cast<uint64_t>(end - text.begin());
}

void ReadBytes(const HostImport& import, const LaneImage& image, uint64_t memories_at,
               AskedCall& asked) {
  const ImageMemory memory(image, memories_at);
  uint64_t sum = 0;
  for (const CallBytes& bytes : import.bytes) {
    const uint64_t from = asked.call.args[bytes.pointer].words[0];
    const std::optional<uint64_t> length = LengthOf(bytes, asked.call, memory);
    if (!length || (*length > 0 && !memory.Holds(from, *length))) {
      asked.trap = Trap::kOutOfBoundsMemory;
      return;
    }
    sum += *length;
    if (sum > kMostBytesOfCall) {
      asked.trap = Trap::kHostCallFailed;
      asked.error = "The call of " + Quoted(import.name) + " takes more than " +
                    Quoted(kMostBytesOfCall) + " bytes of memory along.";
      return;
    }
    asked.call.bytes.push_back(*length == 0 ? Bytes() : memory.Read(from, *length));
  }
}

std::string TypesText(const std::vector<Value>& values) {
  std::string text;
  for (const Value& value : values) {
    text += (text.empty() ? "" : ", ") + std::string(TypeName(value.type));
  }
  return "(" + text + ")";
}

}  // namespace

AskedCall ReadCall(const std::vector<HostImport>& imports, const LaneImage& image,
                   uint64_t memories_at, uint64_t instance) {
  AskedCall asked;
  asked.call.instance = instance;
  asked.call.number = LaneWord(image, abi::LANE_HOST_CALLS);
  asked.call.import = LaneWord(image, abi::LANE_STAGE + abi::HOST_CALL_IMPORT);
  if (asked.call.import >= imports.size()) {  // a module may import the primitive by itself
    asked.trap = Trap::kHostCallFailed;
    asked.error = "The job binds no import of the number " + Quoted(uint64_t{asked.call.import}) +
                  " to its caller.";
    return asked;
  }
  const HostImport& import = imports[asked.call.import];
  uint64_t at = kHeader + abi::LANE_STAGE + abi::HOST_CALL_ARGUMENTS;
  for (const ValueType type : import.type.params) {
    Value& value = asked.call.args.emplace_back();
    value.type = type;
    for (uint32_t w = 0; w < TypeWords(type) && at < memories_at; ++w) {
      value.words[w] = image.state[at++];
    }
  }
  if (!import.bytes.empty()) ReadBytes(import, image, memories_at, asked);
  return asked;
}

std::string CheckAnswer(const HostImport& import, const HostAnswer& answer) {
  const std::vector<ValueType>& wanted = import.type.results;
  const bool fits =
      std::equal(answer.results.begin(), answer.results.end(), wanted.begin(), wanted.end(),
                 [](const Value& value, ValueType type) { return value.type == type; });
  if (!fits) {
    return "The caller answered " + TypesText(answer.results) + ", but " + Quoted(import.name) +
           " is a function of the type " + import.type.ToString() + ".";
  }
  uint64_t written = 0;
  for (const MemoryWrite& write : answer.writes) written += write.data.size();
  if (written > kMostBytesOfAnswer) {
    return "The caller's answer to " + Quoted(import.name) + " writes " + Quoted(written) +
           " bytes; at most " + Quoted(kMostBytesOfAnswer) + " are written by one answer.";
  }
  if (written > 0 && !import.has_memory) {
    return "The caller's answer to " + Quoted(import.name) +
           " writes to memory, but the module defines and exports no memory 0.";
  }
  return "";
}

std::string ApplyAnswer(const HostAnswer& answer, uint64_t memories_at, LaneImage& image,
                        uint64_t* cost) {
  *cost = 0;
  const uint64_t size = answer.writes.empty() ? 0 : ImageMemory(image, memories_at).size();
  for (const MemoryWrite& write : answer.writes) {
    *cost += write.data.size();
    if (write.data.empty() || uint64_t{write.pointer} + write.data.size() <= size) continue;
    return "The caller's answer writes " + Quoted(uint64_t{write.data.size()}) +
           " bytes at the address " + Quoted(uint64_t{write.pointer}) +
           ", outside of the memory of " + Quoted(size) + " bytes.";
  }
  *cost = (*cost + 15) / 16;
  for (const MemoryWrite& write : answer.writes) {
    WriteMemory(image, memories_at, write.pointer, write.data);
  }
  uint64_t at = kHeader + abi::LANE_STAGE;
  for (const Value& value : answer.results) {
    for (uint32_t w = 0; w < TypeWords(value.type) && at < memories_at; ++w) {
      image.state[at++] = value.words[w];
    }
  }
  LaneWord(image, abi::LANE_HOST_CALLS) += 1;
  const uint64_t fuel =
      (LaneWord(image, abi::LANE_FUEL_LO) | uint64_t{LaneWord(image, abi::LANE_FUEL_HI)} << 32) +
      *cost;
  LaneWord(image, abi::LANE_FUEL_LO) = image.record[abi::RECORD_FUEL_LO] =
      static_cast<uint32_t>(fuel);
  LaneWord(image, abi::LANE_FUEL_HI) = image.record[abi::RECORD_FUEL_HI] =
      static_cast<uint32_t>(fuel >> 32);
  return "";
}

}  // namespace wb
