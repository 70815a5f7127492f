// A library that looks like NVRTC and does what the text's first word says:
//   HANG     sleeps, having written its process's id to the file pid
//   CRASH    ends by a signal
//   EAT      takes memory until there is no more
//   FAIL     does not compile, with a log of many lines
//   else     the "cubin" is the flags, the prelude and the text, a line between each

#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string>

namespace {

struct FakeProgram {
  std::string text;
  std::string prelude;
  std::string log;
  std::string cubin;
};

void Hang() {
  std::ofstream("pid.new") << getpid();
  std::rename("pid.new", "pid");
  for (;;) pause();
}

// Kept where a compiler cannot see that it is not used.
void* volatile eaten = nullptr;

int Eat() {
  constexpr size_t kPiece = size_t{16} << 20;
  while (void* piece = std::malloc(kPiece)) {
    std::memset(piece, 1, kPiece);
    eaten = piece;
  }
  return 1;  // NVRTC_ERROR_OUT_OF_MEMORY
}

int Fail(FakeProgram& program) {
  for (int line = 1; line <= 100; ++line) {
    program.log += "kernel.metal(" + std::to_string(line) + "): error: no\n";
  }
  return 6;  // NVRTC_ERROR_COMPILATION
}

FakeProgram& Of(void* program) { return *static_cast<FakeProgram*>(program); }

int Give(const std::string& from, char* to) {
  std::memcpy(to, from.c_str(), from.size());
  return 0;
}

}  // namespace

extern "C" {

int nvrtcVersion(int* major, int* minor) {
  *major = 98;
  *minor = 7;
  return 0;
}

int nvrtcCreateProgram(void** program, const char* text, const char*, int headers,
                       const char* const* header_texts, const char* const*) {
  *program = new FakeProgram{text, headers == 1 ? header_texts[0] : "", "", ""};
  return 0;
}

int nvrtcCompileProgram(void* program, int count, const char* const* flags) {
  FakeProgram& fake = Of(program);
  const std::string act = fake.text.substr(0, fake.text.find('\n'));
  if (act == "HANG") Hang();
  if (act == "CRASH") std::abort();
  if (act == "EAT") return Eat();
  if (act == "FAIL") return Fail(fake);
  for (int i = 0; i < count; ++i) fake.cubin += std::string(flags[i]) + " ";
  fake.cubin += "\n" + fake.prelude + "\n" + fake.text;
  return 0;
}

int nvrtcGetProgramLogSize(void* program, size_t* bytes) {
  *bytes = Of(program).log.size() + 1;
  return 0;
}
int nvrtcGetProgramLog(void* program, char* log) {
  log[Of(program).log.size()] = '\0';
  return Give(Of(program).log, log);
}
int nvrtcGetCUBINSize(void* program, size_t* bytes) {
  *bytes = Of(program).cubin.size();
  return 0;
}
int nvrtcGetCUBIN(void* program, char* cubin) { return Give(Of(program).cubin, cubin); }
int nvrtcDestroyProgram(void** program) {
  delete static_cast<FakeProgram*>(*program);
  *program = nullptr;
  return 0;
}

}  // extern "C"
