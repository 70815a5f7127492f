#include "tests/compiler/system/host.h"

#include <algorithm>
#include <cstdlib>
#include <stdexcept>

extern "C" {
#include "compiler/system/wasi/layer.h"
}

namespace wb::test {
namespace {

void FreeGiven() {
  for (uint8_t* block : TheHost().given) std::free(block);
  TheHost().given.clear();
}

uint8_t* At(Guest at, uint64_t bytes) {
  std::vector<uint8_t>& memory = TheHost().memory;
  if (at + bytes > memory.size()) throw std::logic_error("the system layer has trapped");
  return memory.data() + at;
}

uint64_t Load(Guest at, uint32_t bytes) {
  uint64_t value = 0;
  std::memcpy(&value, At(at, bytes), bytes);
  return value;
}

void Store(Guest at, uint64_t value, uint32_t bytes) { std::memcpy(At(at, bytes), &value, bytes); }

// What input_read copies.
std::string_view Part(uint32_t input, uint64_t offset, uint32_t bytes) {
  ++TheHost().primitive_calls;
  const auto found = TheHost().inputs.find(input);
  if (found == TheHost().inputs.end() || offset > found->second.size()) return {};
  return std::string_view(found->second).substr(offset, std::min(bytes, uint32_t{kMostMoved}));
}

void Append(uint32_t stream, const void* from, uint32_t bytes) {
  ++TheHost().primitive_calls;
  if (stream < 1 || stream > 254) throw std::logic_error("no such stream");
  TheHost().outputs[stream].append(static_cast<const char*>(from), bytes);
}

}  // namespace

HostState& TheHost() {
  static HostState state;
  return state;
}

Program::Program(const InstanceInputs& inputs) {
  FreeGiven();  // of a program before it in the same test
  std::memset(&layer, 0, sizeof layer);
  HostState& host = TheHost();
  host = {};
  host.memory.resize(65536);
  host.instance = inputs.instance;
  host.inputs[0] = Configuration(inputs);
  if (inputs.standard_input) host.inputs[1] = *inputs.standard_input;
  if (inputs.file_set) host.inputs[2] = *inputs.file_set;
  uint32_t next = 3;
  for (const std::string& text : inputs.args) host.inputs[next++] = text;
  for (const std::string& text : inputs.envs) host.inputs[next++] = text;
  for (const auto& [path, bytes] : inputs.files) {
    host.inputs[next++] = path;
    host.inputs[next++] = bytes;
  }
  if (inputs.draw_number) {
    host.inputs[next].assign(reinterpret_cast<const char*>(&*inputs.draw_number), sizeof(uint64_t));
  }
}

Program::~Program() { FreeGiven(); }

// Rooms follow one another from 1,024 on; the first word of the memory counts them.
Guest Program::Room(uint32_t bytes) {
  const Guest at = 1024 + static_cast<Guest>(Load(0, 4));
  Store(0, at - 1024 + (bytes + 7) / 8 * 8, 4);
  std::memset(At(at, bytes), 0, bytes);
  return at;
}

Guest Program::Put(std::string_view bytes) {
  const Guest at = Room(static_cast<uint32_t>(bytes.size()));
  std::memcpy(At(at, bytes.size()), bytes.data(), bytes.size());
  return at;
}

Guest Program::Buffers(const std::vector<uint32_t>& sizes) {
  const Guest at = Room(static_cast<uint32_t>(8 * sizes.size()));
  for (size_t i = 0; i < sizes.size(); ++i) {
    Store(at + 8 * static_cast<Guest>(i), Room(sizes[i]), 4);
    Store(at + 8 * static_cast<Guest>(i) + 4, sizes[i], 4);
  }
  return at;
}

Guest Program::Buffers(const std::vector<std::string>& texts) {
  const Guest at = Room(static_cast<uint32_t>(8 * texts.size()));
  for (size_t i = 0; i < texts.size(); ++i) {
    Store(at + 8 * static_cast<Guest>(i), Put(texts[i]), 4);
    Store(at + 8 * static_cast<Guest>(i) + 4, texts[i].size(), 4);
  }
  return at;
}

uint64_t Program::Number(Guest at, uint32_t bytes) const { return Load(at, bytes); }

std::string Program::Text(Guest at, uint32_t bytes) const {
  return std::string(reinterpret_cast<const char*>(At(at, bytes)), bytes);
}

I32 Program::Open(std::string_view path, I32 how, I32 flags) {
  const uint64_t before = Load(0, 4);
  const Guest out = Room(4);
  I64 rights = kFileRights | kDirectoryRights;
  const bool directory = (how & OPEN_DIRECTORY) != 0;
  if (directory) rights = kDirectoryRights;
  error = wasi_path_open(kFirstPreopen, 0, Put(path), static_cast<I32>(path.size()), how, rights,
                         kFileRights | kDirectoryRights, flags, out);
  const I32 fd = static_cast<I32>(Load(out, 4));
  Store(0, before, 4);
  return fd;
}

std::string Program::ReadAll(I32 fd, uint32_t piece) {
  std::string all;
  const uint64_t before = Load(0, 4);
  const Guest buffers = Buffers(std::vector<uint32_t>{piece});
  const Guest out = Room(4);
  for (;;) {
    const I32 answer = wasi_fd_read(fd, buffers, 1, out);
    if (answer != E_OK) return "errno " + std::to_string(answer);
    const uint32_t bytes = static_cast<uint32_t>(Load(out, 4));
    all += Text(static_cast<Guest>(Load(buffers, 4)), bytes);
    if (bytes == 0) break;
  }
  Store(0, before, 4);
  return all;
}

std::string Program::Read(std::string_view path) {
  const uint64_t before = Load(0, 4);
  const Guest out = Room(4);
  const I32 answer = wasi_path_open(kFirstPreopen, 0, Put(path), static_cast<I32>(path.size()), 0,
                                    RIGHT_FD_READ | RIGHT_FD_SEEK, 0, 0, out);
  const I32 fd = static_cast<I32>(Load(out, 4));
  Store(0, before, 4);
  if (answer != E_OK) return "errno " + std::to_string(answer);
  std::string bytes = ReadAll(fd);
  wasi_fd_close(fd);
  return bytes;
}

I32 Program::WriteTo(I32 fd, std::string_view bytes) {
  const uint64_t before = Load(0, 4);
  const Guest buffers = Buffers(std::vector<std::string>{std::string(bytes)});
  const I32 answer = wasi_fd_write(fd, buffers, 1, Room(4));
  Store(0, before, 4);
  return answer;
}

I32 Program::Write(std::string_view path, std::string_view bytes) {
  const I32 fd = Open(path, OPEN_CREATE | OPEN_TRUNCATE);
  if (error != E_OK) return error;
  const I32 answer = WriteTo(fd, bytes);
  wasi_fd_close(fd);
  return answer;
}

std::vector<std::string> Program::List(std::string_view path, uint32_t room) {
  std::vector<std::string> names;
  const I32 fd = Open(path, OPEN_DIRECTORY);
  if (error != E_OK) return {"errno " + std::to_string(error)};
  const uint64_t before = Load(0, 4);
  const Guest to = Room(room), out = Room(4);
  uint64_t cookie = 0;
  for (uint32_t used = room; used == room;) {
    const I32 answer = wasi_fd_readdir(fd, to, room, cookie, out);
    if (answer != E_OK) return {"errno " + std::to_string(answer)};
    used = static_cast<uint32_t>(Load(out, 4));
    for (uint32_t at = 0; at + DIRENT_BYTES <= used;) {
      const uint32_t bytes = static_cast<uint32_t>(Load(to + at + 16, 4));
      if (at + DIRENT_BYTES + bytes > used) break;  // cut: it comes again
      const bool directory = Load(to + at + 20, 1) == TYPE_DIRECTORY;
      names.push_back(Text(to + at + DIRENT_BYTES, bytes) + (directory ? "/" : ""));
      cookie = Load(to + at, 8);
      at += DIRENT_BYTES + bytes;
    }
  }
  Store(0, before, 4);
  wasi_fd_close(fd);
  return names;
}

std::string Program::Output(uint32_t stream) const { return TheHost().outputs[stream]; }

}  // namespace wb::test

using wb::test::At;
using wb::test::TheHost;

extern "C" {

int64_t InputSize(uint32_t input) {
  ++TheHost().primitive_calls;
  const auto found = TheHost().inputs.find(input);
  return found == TheHost().inputs.end() ? -1 : static_cast<int64_t>(found->second.size());
}

uint32_t InputRead(uint32_t input, uint64_t offset, void* to, uint32_t bytes) {
  const std::string_view part = wb::test::Part(input, offset, bytes);
  std::memcpy(to, part.data(), part.size());
  return static_cast<uint32_t>(part.size());
}

uint32_t OutputWrite(uint32_t stream, const void* from, uint32_t bytes) {
  const uint32_t moved = std::min(bytes, uint32_t{kMostMoved});
  wb::test::Append(stream, from, moved);
  return moved;
}

uint64_t InstanceNumber() {
  ++TheHost().primitive_calls;
  return TheHost().instance;
}

uint64_t FuelUsed() {
  ++TheHost().primitive_calls;
  return TheHost().fuel;
}

void ExitInstance(uint32_t code) { throw wb::test::Exited{code}; }

uint32_t GuestPages() { return static_cast<uint32_t>(TheHost().memory.size() / 65536); }
uint32_t GuestLoad8(Guest at) { return static_cast<uint32_t>(wb::test::Load(at, 1)); }
uint32_t GuestLoad16(Guest at) { return static_cast<uint32_t>(wb::test::Load(at, 2)); }
uint32_t GuestLoad32(Guest at) { return static_cast<uint32_t>(wb::test::Load(at, 4)); }
uint64_t GuestLoad64(Guest at) { return wb::test::Load(at, 8); }
void GuestStore8(Guest at, uint32_t value) { wb::test::Store(at, value, 1); }
void GuestStore16(Guest at, uint32_t value) { wb::test::Store(at, value, 2); }
void GuestStore32(Guest at, uint32_t value) { wb::test::Store(at, value, 4); }
void GuestStore64(Guest at, uint64_t value) { wb::test::Store(at, value, 8); }
void GuestToSystem(void* to, Guest from, uint32_t bytes) {
  std::memcpy(to, At(from, bytes), bytes);
}
void SystemToGuest(Guest to, const void* from, uint32_t bytes) {
  std::memcpy(At(to, bytes), from, bytes);
}
void GuestZero(Guest at, uint32_t bytes) { std::memset(At(at, bytes), 0, bytes); }

uint32_t GuestInputRead(uint32_t input, uint64_t offset, Guest to, uint32_t bytes) {
  const std::string_view part = wb::test::Part(input, offset, bytes);
  std::memcpy(At(to, part.size()), part.data(), part.size());
  return static_cast<uint32_t>(part.size());
}

uint32_t GuestOutputWrite(uint32_t stream, Guest from, uint32_t bytes) {
  return OutputWrite(stream, At(from, std::min(bytes, uint32_t{kMostMoved})), bytes);
}

uint8_t* MoreMemory(size_t bytes, size_t* given) {
  *given = (bytes + 65535) / 65536 * 65536;
  if (*given > TheHost().memory_left) return nullptr;
  TheHost().memory_left -= *given;
  TheHost().given.push_back(static_cast<uint8_t*>(std::aligned_alloc(16, *given)));
  return TheHost().given.back();
}
}
