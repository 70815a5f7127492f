#include "daemon/checkpoints/state_form.h"

#include <cstring>
#include <memory>
#include <utility>

#include "compiler/abi/lane.h"
#include "daemon/database/byte_text.h"

namespace wb {
namespace {

constexpr size_t kMarkBytes = sizeof(kStateMark) - 1;
constexpr size_t kSumBytes = 8;
constexpr uint64_t kMostBody = uint64_t{1} << 36;
constexpr uint32_t kMostPages = 65536;

Status Damaged(const std::string& why) {
  return Status(Reason::kBlobCorrupt, "The state of an instance is damaged: " + why + ".");
}

ByteView Words(const std::vector<uint32_t>& words) {
  return {reinterpret_cast<const uint8_t*>(words.data()), words.size() * sizeof(uint32_t)};
}

void WriteHead(const StateHead& head, ByteWriter& out) {
  out.Text(head.compiler);
  for (const Digest* digest : {&head.module, &head.form, &head.body}) {
    out.Raw(ByteView(digest->bytes.data(), digest->bytes.size()));
  }
  for (const uint64_t number :
       {head.instance, uint64_t{head.attempt}, head.fuel, head.planned, uint64_t{head.needs.pages},
        uint64_t{head.needs.further_pages}, uint64_t{head.needs.stack}, head.record_words,
        head.state_words, head.output_bytes}) {
    out.Number(number);
  }
  for (const bool flag : {head.fast32, head.has_output, head.has_frames}) {
    out.Byte(flag ? 1 : 0);
  }
}

void Put64(uint64_t number, Bytes& out) {
  for (int i = 0; i < 8; ++i) out.push_back(static_cast<uint8_t>(number >> (8 * i)));
}

// False: the number is none of those.
bool Read32(ByteReader& in, uint32_t most, uint32_t& number) {
  const uint64_t value = in.Number();
  number = static_cast<uint32_t>(value);
  return value <= most;
}

Result<StateHead> ReadHead(ByteView bytes) {
  ByteReader in(bytes);
  StateHead head;
  head.compiler = std::string(in.Text());
  for (Digest* digest : {&head.module, &head.form, &head.body}) {
    const ByteView raw = in.Raw(digest->bytes.size());
    if (!in.ok()) return Damaged("its head is cut");
    std::memcpy(digest->bytes.data(), raw.data(), raw.size());
  }
  head.instance = in.Number();
  bool sound = Read32(in, ~0u, head.attempt);
  head.fuel = in.Number();
  head.planned = in.Number();
  sound = Read32(in, kMostPages, head.needs.pages) && sound;
  sound = Read32(in, kMostPages, head.needs.further_pages) && sound;
  sound = Read32(in, ~0u, head.needs.stack) && sound;
  head.record_words = in.Number();
  head.state_words = in.Number();
  head.output_bytes = in.Number();
  head.fast32 = in.Byte() != 0;
  head.has_output = in.Byte() != 0;
  head.has_frames = in.Byte() != 0;
  sound = sound && in.is_done() && head.attempt > 0 && head.record_words <= kMostBody &&
          head.state_words <= kMostBody && head.output_bytes <= kMostBody;
  if (!sound) return Damaged("its head is not sound");
  return head;
}

std::vector<uint32_t> WordsOf(ByteView bytes) {
  std::vector<uint32_t> words(bytes.size() / sizeof(uint32_t));
  if (!words.empty()) std::memcpy(words.data(), bytes.data(), bytes.size());
  return words;
}

}  // namespace

Bytes EncodeState(const LeavingState& leaving, const std::string& compiler, const Digest& module) {
  const MovedLane& lane = leaving.state;
  StateHead head;
  head.compiler = compiler;
  head.module = module;
  head.form = lane.image.form;
  head.instance = leaving.instance;
  head.attempt = leaving.attempt;
  head.fuel = lane.fuel;
  head.planned = leaving.planned;
  head.needs = leaving.needs;
  head.fast32 = lane.fast32;
  head.has_output = lane.drained.has_value();
  head.has_frames = lane.drained && lane.drained->has_frames();
  head.record_words = lane.image.record.size();
  head.state_words = lane.image.state.size();
  const ByteView output = lane.drained ? ByteView(lane.drained->bytes()) : ByteView();
  head.output_bytes = output.size();
  const std::vector<ByteView> parts = {Words(lane.image.record), Words(lane.image.state), output};
  Bytes whole;
  for (const ByteView part : parts) whole.insert(whole.end(), part.begin(), part.end());
  head.body = Sha256(whole);
  ByteWriter text;
  WriteHead(head, text);
  const Bytes head_bytes = std::move(text).Take();
  Bytes out(kStateMark, kStateMark + kMarkBytes);
  Put64(head_bytes.size(), out);
  out.insert(out.end(), head_bytes.begin(), head_bytes.end());
  Put64(Checksum(out), out);
  out.insert(out.end(), whole.begin(), whole.end());
  return out;
}

Result<FoundHead> DecodeStateHead(ByteView bytes) {
  constexpr size_t kBegin = kMarkBytes + 8;
  if (bytes.size() < kBegin) return Damaged("it is cut");
  if (std::memcmp(bytes.data(), kStateMark, kMarkBytes) != 0) {
    return Damaged("it is of another version, or no state");
  }
  const auto number_at = [bytes](size_t at) {
    uint64_t number = 0;
    for (int i = 7; i >= 0; --i) number = number << 8 | bytes[at + static_cast<size_t>(i)];
    return number;
  };
  const uint64_t length = number_at(kMarkBytes);
  if (length > kLongestStateHead || bytes.size() < kBegin + length + kSumBytes) {
    return Damaged("its head is cut");
  }
  const size_t end = kBegin + static_cast<size_t>(length);
  if (Checksum(bytes.first(end)) != number_at(end)) return Damaged("its head has another checksum");
  FoundHead found;
  WB_ASSIGN(found.head, ReadHead(bytes.subspan(kBegin, static_cast<size_t>(length))));
  found.bytes = end + kSumBytes;
  return found;
}

Result<MovedLaneRef> DecodeState(ByteView bytes) {
  WB_ASSIGN(const FoundHead found, DecodeStateHead(bytes));
  const StateHead& head = found.head;
  const ByteView body = bytes.subspan(found.bytes);
  if (body.size() != head.body_bytes()) return Damaged("it is cut");
  if (Sha256(body) != head.body) return Damaged("its bytes have another digest");
  const size_t record = static_cast<size_t>(head.record_words) * sizeof(uint32_t);
  const size_t state = static_cast<size_t>(head.state_words) * sizeof(uint32_t);
  auto lane = std::make_shared<MovedLane>();
  lane->image.form = head.form;
  lane->image.record = WordsOf(body.first(record));
  lane->image.state = WordsOf(body.subspan(record, state));
  lane->fast32 = head.fast32;
  lane->fuel = head.fuel;
  if (lane->image.record.size() < abi::RECORD_REGISTERS) return Damaged("its record is cut");
  const uint64_t used = uint64_t{lane->image.record[abi::RECORD_FUEL_HI]} << 32 |
                        lane->image.record[abi::RECORD_FUEL_LO];
  if (used != head.fuel) return Damaged("its fuel is not that of its record");
  if (head.has_output) {
    DrainedOutput output(head.has_frames);
    if (!output.Join(body.subspan(record + state), head.output_bytes)) {
      return Damaged("its output is not whole");
    }
    lane->drained = std::move(output);
  }
  return MovedLaneRef(std::move(lane));
}

}  // namespace wb
