#include "client/cli/output/standard_output.h"

#include <cerrno>
#include <cstdio>

namespace wb::cli {
namespace {

int output_error = 0;

void NoteOutput(bool worked) {
  if (!worked && output_error == 0) output_error = errno == 0 ? EIO : errno;
}

}  // namespace

void Print(const std::string& text) {
  if (output_error != 0) return;
  NoteOutput(std::fwrite(text.data(), 1, text.size(), stdout) == text.size());
}

void PrintLine(const std::string& text) { Print(text + "\n"); }

bool OutputWorks() {
  if (output_error == 0) NoteOutput(std::fflush(stdout) == 0);
  return output_error == 0;
}

int OutputError() { return output_error; }

}  // namespace wb::cli
