#include "tests/daemon/fuzz/http2_frames.h"

#include <algorithm>
#include <utility>

#include "tests/daemon/fuzz/fuzz_call.h"
#include "wasmburst/v1/jobs.pb.h"

namespace wb {
namespace {

namespace v1 = wasmburst::v1;

constexpr std::string_view kPreface = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
constexpr size_t kFrameHead = 9;
constexpr size_t kMostFrames = 64;
// Types and flags of frames.
constexpr uint8_t kData = 0, kHeaders = 1, kReset = 3, kSettings = 4, kPing = 6, kGoAway = 7,
                  kWindowUpdate = 8;
constexpr uint8_t kEndStream = 1, kEndHeaders = 4;

std::string Number(uint64_t value, int bytes) {
  std::string text;
  for (int i = bytes - 1; i >= 0; --i) text += static_cast<char>(value >> (8 * i));
  return text;
}

uint32_t ReadNumber(std::string_view bytes) {
  uint32_t value = 0;
  for (const char byte : bytes) value = value << 8 | static_cast<uint8_t>(byte);
  return value;
}

// A header without an index (RFC 7541, 6.2.2). Texts are shorter than 127 bytes.
std::string Header(const std::string& name, const std::string& value) {
  return Number(0, 1) + Number(name.size(), 1) + name + Number(value.size(), 1) + value;
}

// The value of a header that stands there as text; "": it does not.
std::string LiteralOf(const std::string& headers, const std::string& name) {
  const size_t at = headers.find(Number(name.size(), 1) + name);
  if (at == std::string::npos) return "";
  const std::string value = headers.substr(at + 1 + name.size());
  return value.empty() ? "" : value.substr(1, static_cast<uint8_t>(value[0]));
}

Http2Frame Settings() { return {kSettings, 0, 0, ""}; }

std::string Connection(std::vector<Http2Frame> frames) {
  frames.insert(frames.begin(), Settings());
  return Http2Text({true, std::move(frames), ""});
}

std::string RandomBytes(MessageMutator* mutator, uint64_t most) {
  std::string bytes(mutator->Below(most), '\0');
  for (char& byte : bytes) byte = static_cast<char>(mutator->Below(256));
  return bytes;
}

// The five bytes before a message say its length.
void RightMessageLength(Http2Frame* frame) {
  if (frame->type != kData || frame->payload.size() < 5) return;
  frame->payload.replace(1, 4, Number(frame->payload.size() - 5, 4));
}

void MutateFrame(Http2Frame* frame, MessageMutator* mutator) {
  switch (mutator->Below(8)) {
    case 0: frame->type = static_cast<uint8_t>(mutator->Below(mutator->OneIn(4) ? 256 : 10)); break;
    case 1: frame->flags = static_cast<uint8_t>(mutator->Below(256)); break;
    case 2:
      frame->stream = static_cast<uint32_t>(mutator->OneIn(4) ? mutator->Below(0x100000000)
                                                              : mutator->Below(8));
      break;
    case 3:
      frame->has_own_length = mutator->OneIn(2);
      frame->own_length = static_cast<uint32_t>(mutator->Below(mutator->OneIn(2) ? 64 : 0x1000000));
      break;
    default: frame->payload = mutator->Changed(std::move(frame->payload)); break;
  }
  if (mutator->OneIn(2)) RightMessageLength(frame);
}

void AddSeedFrames(Http2Bytes* bytes, MessageMutator* mutator) {
  static const auto* const seeds = new std::vector<std::string>(Http2Seeds());
  const Http2Bytes seed = ParseHttp2((*seeds)[mutator->Below(seeds->size())]);
  bytes->has_preface = true;
  bytes->frames.insert(bytes->frames.end(), seed.frames.begin(), seed.frames.end());
}

void MutateOnce(Http2Bytes* bytes, MessageMutator* mutator) {
  if (bytes->frames.empty() || mutator->OneIn(16)) return AddSeedFrames(bytes, mutator);
  std::vector<Http2Frame>& frames = bytes->frames;
  const size_t at = mutator->Below(frames.size());
  const auto place = frames.begin() + static_cast<ptrdiff_t>(at);
  switch (mutator->Below(16)) {
    case 0: frames.erase(place); return;
    case 1: frames.insert(place, Http2Frame(frames[at])); return;
    case 2: std::swap(frames[at], frames[mutator->Below(frames.size())]); return;
    case 3: bytes->rest = RandomBytes(mutator, 40); return;
    case 4: bytes->has_preface = !mutator->OneIn(8); return;
    case 5: frames.push_back({kWindowUpdate, 0, 1, RandomBytes(mutator, 8)}); return;
    case 6: frames.push_back({kReset, 0, 1, Number(mutator->Below(14), 4)}); return;
    default: return MutateFrame(&frames[at], mutator);
  }
}

}  // namespace

Http2Bytes ParseHttp2(std::string_view bytes) {
  Http2Bytes parsed;
  parsed.has_preface = bytes.starts_with(kPreface);
  if (parsed.has_preface) bytes.remove_prefix(kPreface.size());
  while (bytes.size() >= kFrameHead && parsed.frames.size() < kMostFrames) {
    const size_t size = ReadNumber(bytes.substr(0, 3));
    if (bytes.size() - kFrameHead < size) break;
    Http2Frame frame;
    frame.type = static_cast<uint8_t>(bytes[3]);
    frame.flags = static_cast<uint8_t>(bytes[4]);
    frame.stream = ReadNumber(bytes.substr(5, 4));
    frame.payload = bytes.substr(kFrameHead, size);
    parsed.frames.push_back(std::move(frame));
    bytes.remove_prefix(kFrameHead + size);
  }
  parsed.rest = bytes;
  return parsed;
}

std::string Http2Text(const Http2Bytes& bytes) {
  std::string text(bytes.has_preface ? kPreface : "");
  for (const Http2Frame& frame : bytes.frames) {
    text += Number(frame.has_own_length ? frame.own_length : frame.payload.size(), 3);
    text += Number(frame.type, 1) + Number(frame.flags, 1) + Number(frame.stream, 4);
    text += frame.payload;
  }
  return text + bytes.rest;
}

std::vector<Http2Frame> Http2Call(uint32_t stream, const std::string& path,
                                  const std::string& message) {
  const std::string headers = Header(":method", "POST") + Header(":scheme", "http") +
                              Header(":path", path) + Header(":authority", "localhost") +
                              Header("te", "trailers") + Header("content-type", "application/grpc");
  return {{kHeaders, kEndHeaders, stream, headers},
          {kData, kEndStream, stream, Number(0, 1) + Number(message.size(), 4) + message}};
}

std::vector<std::string> Http2Seeds() {
  std::vector<std::string> seeds;
  for (const FuzzMethod& method : FuzzMethods()) {
    seeds.push_back(Connection(Http2Call(1, method.path, "")));
  }
  v1::GetJobRequest named;
  named.set_name("jobs/01ARZ3NDEKTSV4RRFFQ69G5FAV");
  std::vector<Http2Frame> two =
      Http2Call(1, "/wasmburst.v1.Jobs/GetJob", named.SerializeAsString());
  for (Http2Frame& frame : Http2Call(3, "/grpc.health.v1.Health/Check", "")) two.push_back(frame);
  seeds.push_back(Connection(two));
  two.push_back({kReset, 0, 3, Number(8, 4)});
  two.push_back({kPing, 0, 0, std::string(8, 'p')});
  two.push_back({kWindowUpdate, 0, 0, Number(1000, 4)});
  two.push_back({kGoAway, 0, 0, std::string(8, '\0')});
  seeds.push_back(Connection(two));
  const std::string reflection = "/grpc.reflection.v1.ServerReflection/ServerReflectionInfo";
  seeds.push_back(Connection(Http2Call(1, reflection, std::string("\x3a\0", 2))));
  seeds.push_back("GET / HTTP/1.1\r\n\r\n");
  return seeds;
}

std::string MutateHttp2(std::string_view input, uint64_t seed,
                        const MessageMutator::ChangeBytes& change) {
  static const FuzzWords no_words;
  MessageMutator mutator(seed, no_words, change);
  if (mutator.OneIn(20)) return mutator.Changed(std::string(input));
  Http2Bytes bytes = ParseHttp2(input);
  for (uint64_t i = 1 + mutator.Below(3); i > 0; --i) MutateOnce(&bytes, &mutator);
  return Http2Text(bytes);
}

std::vector<Http2Status> Http2Statuses(std::string_view answer) {
  std::vector<Http2Status> statuses;
  for (const Http2Frame& frame : ParseHttp2(answer).frames) {
    const std::string digits = LiteralOf(frame.payload, "grpc-status");
    const bool is_number = !digits.empty() && digits.find_first_not_of("0123456789") == digits.npos;
    if (frame.type != kHeaders || !is_number) continue;
    const bool is_ours = frame.payload.find("grpc-status-details-bin") != std::string::npos;
    statuses.push_back({std::stoi(digits), is_ours, LiteralOf(frame.payload, "grpc-message")});
  }
  return statuses;
}

}  // namespace wb
