// wasmburst-nvrtc: one use of NVRTC or of its linker in a process of its own, since they may hang,
// crash or eat all memory on a text that a stranger's module shaped. Started by the cuda device in
// a folder of its own (cuda_compiler.h); of no use by itself.
//   wasmburst-nvrtc find PLACE...                 writes found.txt: place and version of NVRTC,
//                                                 then of nvJitLink, if there is one for it
//   wasmburst-nvrtc build PLACE VERSION FLAG...   kernel.metal and metal_stdlib to kernel.cubin
//   wasmburst-nvrtc link PLACE ARCH FILE...       relocatable cubins to one, kernel.cubin
//   wasmburst-nvrtc part PLACE VERSION LINKER ARCH FILE FLAG...
//                                                 as build, and linked with the cubin FILE
//   wasmburst-nvrtc wait PLACE LINKER FLAG...     loads both (LINKER may be empty), then waits for
//                                                 the words of another in the pipe "words"
// Exit 0; 1: the text does not compile; 2: anything else. What went wrong is on standard error.

#include <cstdio>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#ifdef __GLIBC__
#include <malloc.h>
#endif

#include "scheduler/devices/cuda/nvrtc/nvjitlink.h"
#include "scheduler/devices/cuda/nvrtc/nvrtc.h"

namespace {

constexpr int kDoesNotCompile = 1;
constexpr int kTrouble = 2;

int Say(const std::string& words, int code) {
  std::fprintf(stderr, "%s\n", words.c_str());
  return code;
}

std::string Read(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

int Write(const char* path, const std::string& bytes) {
  std::ofstream file(path, std::ios::binary);
  file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  file.close();
  return file ? 0 : Say(std::string("The file [") + path + "] could not be written.", kTrouble);
}

int Find(const std::vector<std::string>& places) {
  const wb::Result<wb::Nvrtc> nvrtc = wb::OpenNvrtc(places);
  if (!nvrtc.ok()) return Say(nvrtc.status().message(), kTrouble);
  const auto linker = wb::OpenNvJitLink(wb::NvJitLinkPlaces(nvrtc->place, nvrtc->version));
  const std::string found = linker.ok() ? linker->place + "\n" + linker->version + "\n" : "";
  return Write("found.txt", nvrtc->place + "\n" + nvrtc->version + "\n" + found);
}

// kernel.metal to `cubin`. Another exit code than 0 has been explained.
int CompileHere(const std::string& place, const std::string& version,
                std::vector<std::string> flags, std::string& cubin) {
  const wb::Result<wb::Nvrtc> nvrtc = wb::OpenNvrtc({place});
  if (!nvrtc.ok()) return Say(nvrtc.status().message(), kTrouble);
  if (nvrtc->version != version) {
    return Say("NVRTC at [" + place + "] is now of version [" + nvrtc->version + "] and was of [" +
                   version + "]; start the device again.",
               kTrouble);
  }
  auto compiled =
      wb::Compile(*nvrtc, {Read("kernel.metal"), Read("metal_stdlib"), std::move(flags)});
  if (!compiled.ok()) return Say(compiled.status().message(), kDoesNotCompile);
  cubin = *std::move(compiled);
  return 0;
}

int Build(const std::string& place, const std::string& version, std::vector<std::string> flags) {
  std::string cubin;
  const int code = CompileHere(place, version, std::move(flags), cubin);
  return code != 0 ? code : Write("kernel.cubin", cubin);
}

int Link(const std::string& place, const std::string& arch,
         const std::vector<std::string>& cubins) {
  const wb::Result<wb::NvJitLink> linker = wb::OpenNvJitLink({place});
  if (!linker.ok()) return Say(linker.status().message(), kTrouble);
  const auto linked = wb::LinkCubins(*linker, arch, cubins);
  if (!linked.ok()) return Say(linked.status().message(), kDoesNotCompile);
  return Write("kernel.cubin", *linked);
}

int LinkFiles(const std::string& place, const std::string& arch,
              const std::vector<std::string>& files) {
  std::vector<std::string> cubins;
  for (const std::string& file : files) cubins.push_back(Read(file));
  return Link(place, arch, cubins);
}

// `words`: PLACE VERSION LINKER ARCH FILE FLAG...
int BuildPart(const std::vector<std::string>& words) {
  std::string cubin;
  const int code = CompileHere(words[0], words[1], {words.begin() + 5, words.end()}, cubin);
  return code != 0 ? code : Link(words[2], words[3], {std::move(cubin), Read(words[4])});
}

int Do(const std::vector<std::string>& words) {
  if (words.size() >= 2 && words[0] == "find") return Find({words.begin() + 1, words.end()});
  if (words.size() >= 3 && words[0] == "build") {
    return Build(words[1], words[2], {words.begin() + 3, words.end()});
  }
  if (words.size() >= 4 && words[0] == "link") {
    return LinkFiles(words[1], words[2], {words.begin() + 3, words.end()});
  }
  if (words.size() >= 6 && words[0] == "part") return BuildPart({words.begin() + 1, words.end()});
  return Say("wasmburst-nvrtc is started by wasmburst-engine and does nothing by itself.",
             kTrouble);
}

// What the first compile of a process has to load and to make is there afterwards. What goes wrong
// here goes wrong again, and is told then.
int Wait(const std::string& place, const std::string& linker_place,
         std::vector<std::string> flags) {
  const wb::Result<wb::Nvrtc> nvrtc = wb::OpenNvrtc({place});
  if (nvrtc.ok())
    (void)wb::Compile(*nvrtc, {"extern \"C\" __global__ void wb_entry() {}", "", std::move(flags)});
  std::vector<std::string> linkers;
  if (!linker_place.empty()) linkers.push_back(linker_place);
  const wb::Result<wb::NvJitLink> linker = wb::OpenNvJitLink(linkers);
  std::istringstream pipe(Read("words"));
  std::vector<std::string> words;
  for (std::string word; std::getline(pipe, word, '\0');) words.push_back(word);
  return Do(words);
}

}  // namespace

int main(int argc, char** argv) {
#ifdef __GLIBC__
  // A compiler's memory grows and shrinks all the time. What goes back to the system each time
  // comes back as pages to be cleared.
  mallopt(M_TRIM_THRESHOLD, 1 << 30);
  mallopt(M_TOP_PAD, 16 << 20);
#endif
  const std::vector<std::string> words(argv + 1, argv + argc);
  if (words.size() >= 3 && words[0] == "wait") {
    return Wait(words[1], words[2], {words.begin() + 3, words.end()});
  }
  return Do(words);
}
