// wasmburst-mslcheck FILE|-: is a kernel text within the subset? Prints what is not as
// file:line:col: message. Exit status 0: it is, 1: it is not, 2: it could not be checked.

#include <cstdio>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>

#include "compiler/check/checker.h"

int main(int argc, char** argv) {
  if (argc != 2 || std::string(argv[1]) == "--help") {
    std::fprintf(stderr, "usage: wasmburst-mslcheck FILE|-\n");
    return 2;
  }
  const std::string name = argv[1];
  std::string text;
  if (name == "-") {
    text.assign(std::istreambuf_iterator<char>(std::cin), {});
  } else {
    std::ifstream file(name, std::ios::binary);
    text.assign(std::istreambuf_iterator<char>(file), {});
    if (!file.good() && !file.eof()) {
      std::fprintf(stderr, "wasmburst-mslcheck: [%s] cannot be read; name a readable file or -.\n",
                   name.c_str());
      return 2;
    }
  }
  const std::vector<wb::Violation> violations = wb::CheckKernelText(text);
  for (const wb::Violation& violation : violations) {
    std::printf("%s:%u:%u: %s\n", name.c_str(), violation.line, violation.column,
                violation.message.c_str());
  }
  return violations.empty() ? 0 : 1;
}
