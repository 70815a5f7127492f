#include "tests/fuzz/crash_note.h"

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <csignal>
#include <cstring>

namespace wb::fuzz {
namespace {

struct Note {
  char batch[80] = {};
  char step[160] = {};
};

// A device's lanes may run on threads of its own, so that what every fuzzing thread is at is told.
constexpr uint32_t kNotes = 256;
Note notes[kNotes];
std::atomic<uint32_t> taken{0};

Note& Mine() {
  static thread_local Note& mine = notes[taken++ % kNotes];
  return mine;
}

template <size_t kSize>
void Keep(std::string_view what, char (&text)[kSize]) {
  const size_t size = std::min(what.size(), kSize - 1);
  std::memcpy(text, what.data(), size);
  text[size] = 0;
}

void Say(const char* text) {
  if (write(STDERR_FILENO, text, std::strlen(text)) < 0) return;
}

void OnCrash(int signal) {
  Say("\nwb_fuzz: crashed; under way:\n");
  for (uint32_t i = 0; i < std::min<uint32_t>(taken, kNotes); ++i) {
    Say("  [");
    Say(notes[i].batch);
    Say("] ");
    Say(notes[i].step);
    Say("\n");
  }
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

}  // namespace

void InstallCrashNote() {
  for (const int signal : {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT}) {
    std::signal(signal, OnCrash);
  }
}

void NoteForCrash(std::string_view what) { Keep(what, Mine().step); }
void NoteBatchForCrash(std::string_view what) { Keep(what, Mine().batch); }

}  // namespace wb::fuzz
