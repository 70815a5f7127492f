// Static programs: their segments, and the stack with which they begin.
#include <fcntl.h>
#include <unistd.h>

#include "linux.h"

enum {
  kPage = 4096,
  kLoads = 1,
  kInterpreter = 3,
  kRuns = 1,
  kFixedPlace = 2,
  kAnyPlace = 3,
  kArm64 = 183,
  kMostSegments = 32
};

typedef struct {
  u8 ident[16];
  u16 type, machine;
  u32 version;
  u64 entry, segments_at, sections_at;
  u32 flags;
  u16 bytes, segment_bytes, segment_count, section_bytes, section_count, names;
} Header;
typedef struct {
  u32 type, flags;
  u64 offset, address, physical, file_bytes, bytes, alignment;
} Segment;

static int file;
static Header header;
static Segment segments[kMostSegments];
static u64 bias, program_end, table_address;

const char* program_path;
u64 stack_bytes;

static void Refuse(const char* why) {
  Say("arm64: ");
  Say(program_path);
  Die(why, 126);
}

static void ReadAll(void* to, u64 bytes, u64 at) {
  for (u64 done = 0; done < bytes;) {
    const ssize_t got = pread(file, (u8*)to + done, bytes - done, (off_t)(at + done));
    if (got <= 0) Refuse(": the file ends within a segment");
    done += (u64)got;
  }
}

static void ReadHeader(void) {
  file = open(program_path, O_RDONLY);
  if (file < 0) Refuse(": there is no such file");
  if (pread(file, &header, sizeof header, 0) != sizeof header ||
      memcmp(header.ident, "\177ELF\2\1", 6) != 0 || header.machine != kArm64) {
    Refuse(": this is no program for ARM64");
  }
  if (header.type != kFixedPlace && header.type != kAnyPlace) Refuse(": this is no program");
  if (header.segment_count > kMostSegments || header.segment_bytes != sizeof(Segment)) {
    Refuse(": it has too many segments");
  }
  ReadAll(segments, header.segment_count * sizeof(Segment), header.segments_at);
}

static void Survey(void) {
  u64 low = ~0ull, code_low = ~0ull, code_end = 0;
  for (u32 i = 0; i < header.segment_count; ++i) {
    const Segment* const segment = &segments[i];
    const u64 begin = segment->address, end = begin + segment->bytes;
    if (segment->type == kInterpreter)
      Refuse(": it is linked dynamically; -static makes one that runs here");
    if (segment->type != kLoads) continue;
    if (end < begin || end > 1ull << 31 || segment->file_bytes > segment->bytes)
      Refuse(": a segment is out of range");
    if (begin < low) low = begin;
    if (end > program_end) program_end = end;
    if (!(segment->flags & kRuns)) continue;
    if (begin < code_low) code_low = begin;
    if (end > code_end) code_end = end;
  }
  if (code_end == 0) Refuse(": it has no code");
  bias = header.type == kAnyPlace ? 0x400000 - (low & ~(u64)(kPage - 1)) : 0;
  cpu.low = (low & ~(u64)(kPage - 1)) + bias;
  cpu.code_low = (code_low & ~127ull) + bias;
  cpu.code_size = code_end + bias - cpu.code_low;
  program_end += bias;
}

static void LoadSegments(void) {
  for (u32 i = 0; i < header.segment_count; ++i) {
    const Segment* const segment = &segments[i];
    if (segment->type != kLoads) continue;
    ReadAll(Guest(segment->address + bias, segment->file_bytes), segment->file_bytes,
            segment->offset);
    const u64 within = header.segments_at - segment->offset;
    if (within < segment->file_bytes) table_address = segment->address + bias + within;
  }
  close(file);
}

static u64 Push(u64 at, const void* bytes, u64 count) {
  memcpy(Guest(at - count, count), bytes, count);
  return at - count;
}
static u64 PushText(u64 at, const char* text) { return Push(at, text, strlen(text) + 1); }

// argc, argv, envp and the auxiliary vector, from `at` downwards; `texts` are their addresses.
static u64 PushTable(u64 at, const u64* texts, u32 argc, u32 envc, const u64* pairs,
                     u64 pair_bytes) {
  const u64 words = 1 + argc + 1 + envc + 1;
  at = ((at & ~15ull) - pair_bytes - words * 8) & ~15ull;
  u64* const table = (u64*)Guest(at, words * 8 + pair_bytes);
  u32 next = 0;
  table[next++] = argc;
  for (u32 i = 0; i < argc; ++i) table[next++] = texts[i];
  table[next++] = 0;
  for (u32 i = 0; i < envc; ++i) table[next++] = texts[argc + i];
  table[next++] = 0;
  memcpy(table + next, pairs, pair_bytes);
  return at;
}

static void MakeStack(const Program* program, u64 top) {
  enum { kMostTexts = 512, kFeatures = 1 | 2 | 1 << 7 | 1 << 8 };  // fp, asimd, crc32, atomics
  static u64 texts[kMostTexts];
  u8 random[16];
  getentropy(random, sizeof random);
  u64 at = Push(top - 16, random, sizeof random);
  const u64 random_at = at, path_at = at = PushText(at, program_path),
            platform_at = at = PushText(at, "aarch64");
  u32 count = 0;
  for (int i = 0; i < program->argc && count < kMostTexts; ++i)
    texts[count++] = at = PushText(at, program->argv[i]);
  const u32 argc = count;
  for (char** text = program->envp; *text != NULL && count < kMostTexts; ++text) {
    texts[count++] = at = PushText(at, *text);
  }
  if (count == kMostTexts) Die("arm64: there are too many arguments", 126);
  const u64 pairs[] = {3,  table_address,
                       4,  sizeof(Segment),
                       5,  header.segment_count,
                       6,  kPage,
                       7,  0,
                       8,  0,
                       9,  header.entry + bias,
                       11, 0,
                       12, 0,
                       13, 0,
                       14, 0,
                       15, platform_at,
                       16, kFeatures,
                       17, 100,
                       23, 0,
                       25, random_at,
                       26, 0,
                       31, path_at,
                       0,  0};
  cpu.x[kSp] = PushTable(at, texts, argc, count - argc, pairs, sizeof pairs);
}

u64 Load(const Program* program) {
  program_path = program->path;
  ReadHeader();
  Survey();
  const u64 bytes = (program->bytes + 65535) & ~65535ull, top = cpu.low + bytes;
  stack_bytes = bytes / 8 < 8 << 20 ? (bytes / 8 + kPage - 1) & ~(u64)(kPage - 1) : 8 << 20;
  if (program_end + stack_bytes + kPage > top)
    Refuse(": it does not fit its memory; -m MIB gives more");
  cpu.memory = TakeMemory(bytes);
  cpu.last = bytes - 16;
  cpu.exclusive = kNotExclusive;
  SetNzcv(0);
  ReserveUnits((u32*)TakeMemory((cpu.code_size / 128 + 1) * sizeof(u32)));
  LoadSegments();
  SetPages(program_end, top - stack_bytes);
  MakeStack(program, top);
  return header.entry + bias;
}
