#include "compiler/system/wasi/config.h"

#include "compiler/system/wasi/heap.h"
#include "compiler/system/wasi/host.h"
#include "compiler/system/wasi/layer.h"

// Most configurations are read by one call.
enum { kFirstRead = 512, kLongest = 1 << 20 };

// The rest of the configuration's bytes. What is not there reads as zeros.
typedef struct {
  const uint8_t *at, *end;
} Reader;

static uint64_t ReadNumber(Reader* reader, uint32_t bytes) {
  uint64_t number = 0;
  if ((size_t)(reader->end - reader->at) < bytes) {
    reader->at = reader->end;
    return 0;
  }
  __builtin_memcpy(&number, reader->at, bytes);  // little-endian, as the machine
  reader->at += bytes;
  return number;
}

static uint32_t Read32(Reader* reader) { return (uint32_t)ReadNumber(reader, 4); }

static Text ReadText(Reader* reader) {
  Text text = {(const char*)reader->at, 0};
  const uint32_t bytes = Read32(reader);
  if ((size_t)(reader->end - reader->at) < bytes) {
    reader->at = reader->end;
    return text;
  }
  text.text = (const char*)reader->at;
  text.bytes = bytes;
  reader->at += bytes;
  return text;
}

// How many there are of `count` items that have at least `bytes` bytes each.
static uint32_t Possible(const Reader* reader, uint32_t count, uint32_t bytes) {
  const size_t most = (size_t)(reader->end - reader->at) / bytes;
  return count < most ? count : (uint32_t)most;
}

static void ReadLists(Reader* reader, Config* config) {
  config->preopens = Possible(reader, Read32(reader), 8);
  config->preopen = Allocate(config->preopens * sizeof(Preopen));
  if (config->preopen == NULL) config->preopens = 0;
  for (uint32_t i = 0; i < config->preopens; ++i) {
    config->preopen[i].guest = ReadText(reader);
    config->preopen[i].path = ReadText(reader);
  }
  config->outputs = Possible(reader, Read32(reader), 4);
  config->output = Allocate(config->outputs * sizeof(Text));
  if (config->output == NULL) config->outputs = 0;
  for (uint32_t i = 0; i < config->outputs; ++i) config->output[i] = ReadText(reader);
}

static void ReadAll(Reader* reader, Config* config) {
  if (Read32(reader) != kConfigVersion) return;
  config->args = Read32(reader);
  config->envs = Read32(reader);
  config->own_files = Read32(reader);
  config->clock_start = ReadNumber(reader, 8);
  config->seed = ReadNumber(reader, 8);
  config->scratch_bytes = Read32(reader);
  config->flags = Read32(reader);
  ReadLists(reader, config);
}

// The bytes of input 0; they stay, since texts lie in them.
static Reader Fetch(void) {
  Reader reader = {NULL, NULL};
  uint8_t* bytes = Allocate(kFirstRead);
  if (bytes == NULL) return reader;
  uint32_t got = InputRead(kInputConfig, 0, bytes, kFirstRead);
  if (got == kFirstRead) {
    const int64_t size = InputSize(kInputConfig);
    if (size > kLongest) return reader;
    uint8_t* longer = Allocate((size_t)size);
    if (longer == NULL) return reader;
    __builtin_memcpy(longer, bytes, kFirstRead);
    Release(bytes, kFirstRead);
    bytes = longer;
    while (got < size) {
      const uint32_t more = InputRead(kInputConfig, got, bytes + got, (uint32_t)size - got);
      if (more == 0) break;
      got += more;
    }
  }
  reader.at = bytes;
  reader.end = bytes + got;
  return reader;
}

const Config* TheConfig(void) {
  Config* config = &layer.config;
  if (!config->is_read) {
    config->is_read = true;
    Reader reader = Fetch();
    ReadAll(&reader, config);
  }
  return config;
}

uint32_t InputOfEnvironment(void) { return kInputFirstArgument + TheConfig()->args; }

uint32_t InputOfOwnFiles(void) { return InputOfEnvironment() + TheConfig()->envs; }

uint32_t InputOfDrawNumber(void) { return InputOfOwnFiles() + 2 * TheConfig()->own_files; }
