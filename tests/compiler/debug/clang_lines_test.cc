#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "compiler/debug/debug_info.h"

namespace wb {
namespace {

constexpr const char* kSource = R"(int divide(int a, int b) {
  return a / b;
}

__attribute__((export_name("run"))) int run(int a, int b) {
  int sum = 0;
  for (int i = 0; i < a; ++i)
    sum += divide(i, b);
  return sum;
}
)";

// A folder of the test's own, gone with it.
class Folder {
 public:
  Folder() {
    std::string name = std::filesystem::temp_directory_path() / "wb_lines.XXXXXX";
    path_ = mkdtemp(name.data());
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  // What the command says, run in the folder; nothing if it fails.
  std::optional<std::string> Run(const std::string& command) const {
    FILE* pipe = popen(("cd '" + path_.string() + "' && " + command + " 2>&1").c_str(), "r");
    std::string said;
    std::array<char, 4096> part;
    while (size_t n = fread(part.data(), 1, part.size(), pipe)) said.append(part.data(), n);
    return pclose(pipe) == 0 ? std::optional(said) : std::nullopt;
  }
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

Bytes ReadBytes(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return Bytes(std::istreambuf_iterator<char>(file), {});
}

struct DumpedRow {
  uint32_t address = 0;
  uint32_t line = 0;
  bool ends = false;
};

std::vector<DumpedRow> RowsOf(const std::string& dump) {
  std::vector<DumpedRow> rows;
  std::istringstream lines(dump);
  for (std::string line; std::getline(lines, line);) {
    DumpedRow row;
    if (sscanf(line.c_str(), "0x%x %u", &row.address, &row.line) != 2) continue;
    row.ends = line.find("end_sequence") != std::string::npos;
    rows.push_back(row);
  }
  return rows;
}

class ClangLines : public testing::TestWithParam<int> {
 protected:
  void SetUp() override {
    std::ofstream(folder_.path() / "calc.c") << kSource;
    const std::string built =
        "clang --target=wasm32 -O1 -fno-inline -nostdlib -fuse-ld=lld "
        "-Wl,--no-entry -o calc.wasm calc.c -gdwarf-" +
        std::to_string(GetParam());
    if (!folder_.Run(built)) GTEST_SKIP() << "clang and wasm-ld are not here";
    const auto module = Module::Decode(ReadBytes(folder_.path() / "calc.wasm"));
    ASSERT_TRUE(module.ok()) << module.status().ToString();
    module_ = *module;
  }

  Folder folder_;
  std::shared_ptr<const Module> module_;
};

TEST_P(ClangLines, ADivisionHasItsFunctionAndItsLine) {
  DebugInfo info(module_);
  uint32_t divisions = 0;
  for (size_t i = 0; i < module_->bodies.size(); ++i) {
    for (const Instruction& instruction : module_->bodies[i].instructions) {
      if (instruction.opcode != Opcode::kI32DivS) continue;
      ++divisions;
      EXPECT_EQ(info.FunctionName(module_->imported_functions + static_cast<uint32_t>(i)),
                "divide");
      EXPECT_EQ(info.LineAt(instruction.offset).file, "calc.c");
      EXPECT_EQ(info.LineAt(instruction.offset).line, 2u);
    }
  }
  EXPECT_EQ(divisions, 1u);
}

TEST_P(ClangLines, EveryRowIsTheOneThatDwarfdumpReads) {
  const auto dump = folder_.Run("llvm-dwarfdump --debug-line calc.wasm");
  if (!dump) GTEST_SKIP() << "llvm-dwarfdump is not here";
  const std::vector<DumpedRow> rows = RowsOf(*dump);
  ASSERT_GT(rows.size(), 8u);
  DebugInfo info(module_);
  const uint32_t code_at = FindDebugSections(module_->binary()).code_at;
  for (size_t i = 0; i + 1 < rows.size(); ++i) {
    if (rows[i].ends || rows[i + 1].address == rows[i].address) continue;
    EXPECT_EQ(info.LineAt(code_at + rows[i].address).line, rows[i].line) << rows[i].address;
  }
}

INSTANTIATE_TEST_SUITE_P(Versions, ClangLines, testing::Values(2, 3, 4, 5));

}  // namespace
}  // namespace wb
