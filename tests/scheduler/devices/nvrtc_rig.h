#pragma once

// Builds with a library that stands in for NVRTC and does as the text says
// (tests/fakes/fake_nvrtc.cc), with a linker beside it (fake_nvjitlink.cc) or without one.

#include <string>
#include <string_view>

#include "scheduler/devices/cuda/cuda_compiler.h"

namespace wb::test {

inline NvrtcSettings FakeNvrtc() {
  NvrtcSettings settings;
  settings.library_path = WB_FAKE_NVRTC;
  return settings;
}

inline Result<Bytes> BuildWithNvrtc(const NvrtcSettings& settings, const std::string& text,
                                    Floats floats = Floats::kNative,
                                    Effort effort = Effort::kFull) {
  WB_ASSIGN(const CudaCompiler compiler, CudaCompiler::Find(settings, 90));
  KernelSource source;
  source.text = text + "\n";
  source.options.floats = floats;
  source.options.layout = MemoryLayout::kInterleaved;
  return compiler.Build(source, effort);
}

inline NvrtcSettings LinkedFakeNvrtc() {
  NvrtcSettings settings;
  settings.library_path = WB_FAKE_LINKED_NVRTC;
  return settings;
}

inline size_t CountOfWords(std::string_view text, std::string_view words) {
  size_t count = 0;
  for (size_t at = text.find(words); at != std::string_view::npos; at = text.find(words, at + 1)) {
    ++count;
  }
  return count;
}

}  // namespace wb::test
