// A file set that is damaged or lies: errnos, and nothing outside the layer's own memory.

#include <gtest/gtest.h>

#include <random>

#include "tests/compiler/system/host.h"

namespace wb::test {
namespace {

const std::map<std::string, std::string>& Files() {
  static const std::map<std::string, std::string> files = {
      {"a", "AAAA"}, {"d/x", std::string(3000, 'x')}, {"d/y", "Y"}, {"z", "Z"}};
  return files;
}

// Whatever a program may do with files; every answer is an errno that means something.
void UseFiles(const std::string& image) {
  InstanceInputs inputs;
  inputs.file_set = image;
  inputs.outputs = {"a", "d/x"};
  Program program(inputs);
  for (const char* path : {"a", "d/x", "d/y", "z", "absent", "d"}) {
    program.Read(path);
    const Guest out = program.Room(64), at = program.Put(path);
    wasi_path_filestat_get(3, 0, at, static_cast<I32>(std::strlen(path)), out);
  }
  for (const char* path : {".", "d", "d/d"}) program.List(path);
  program.Write("a", "written");
  program.WriteTo(program.Open("d/x"), "over");
  const Guest d = program.Put("d");
  wasi_path_rename(3, d, 1, 3, program.Put("e"), 1);
  wasi_path_unlink_file(3, program.Put("z"), 1);
  wasi_path_remove_directory(3, program.Put("e"), 1);
  EXPECT_EQ(program.WriteTo(1, "still here"), I32{E_OK});
  Finish();
}

TEST(DamagedSetTest, AHeaderThatIsNoneIsAnError) {
  for (const std::string& image :
       {std::string(), std::string("short"), std::string(32, '\0'), std::string(100, '\xff')}) {
    InstanceInputs inputs;
    inputs.file_set = image;
    Program program(inputs);
    EXPECT_EQ(program.Read("a"), "errno 29");
    EXPECT_EQ(program.List("."), std::vector<std::string>{"errno 29"});
    EXPECT_EQ(program.WriteTo(1, "x"), I32{E_OK});
  }
}

TEST(DamagedSetTest, EveryPrefixIsLetPass) {
  const std::string image = FileSet(Files());
  for (size_t length = 0; length < image.size(); length += length < 400 ? 1 : 61) {
    UseFiles(image.substr(0, length));
  }
}

TEST(DamagedSetTest, EveryByteMayBeWrong) {
  const std::string image = FileSet(Files());
  const size_t table_end = 32 + 48 * 6;
  for (size_t at = 0; at < table_end; ++at) {
    for (const int change : {0x01, 0x80, 0xff}) {
      std::string wrong = image;
      wrong[at] = static_cast<char>(wrong[at] ^ change);
      UseFiles(wrong);
    }
  }
}

TEST(DamagedSetTest, RandomTablesAreLetPass) {
  std::mt19937 random(7);
  const std::string image = FileSet(Files());
  for (int round = 0; round < 300; ++round) {
    std::string wrong = image;
    for (int i = 0; i < 12; ++i) {
      wrong[32 + random() % (48 * 6)] =
          static_cast<char>(random() % 3 == 0 ? random() : random() % 7);
    }
    UseFiles(wrong);
  }
}

TEST(DamagedSetTest, ADirectoryThatHoldsItselfIsAsDeepAsItIsAskedFor) {
  std::string image = FileSet(Files());
  const uint32_t d = 2;  // entries: root, a, d, z, x, y
  ASSERT_EQ(image[32 + 48 * d + 8], TYPE_DIRECTORY);
  image[32 + 48 * d + 12] = 1;  // its children are the root's
  image[32 + 48 * d + 16] = 3;
  InstanceInputs inputs;
  inputs.file_set = image;
  Program program(inputs);
  EXPECT_EQ(program.Read("d/d/d/d/a"), "AAAA");
}

TEST(DamagedSetTest, AnInputThatIsShorterThanItSaidEndsTheFile) {
  InstanceInputs inputs;
  inputs.file_set = FileSet(Files());
  Program program(inputs);
  const I32 fd = program.Open("d/x");
  ASSERT_EQ(program.error, I32{E_OK});
  TheHost().inputs[2].resize(32 + 48 * 6 + 100);
  EXPECT_EQ(program.ReadAll(fd).size(), 0u);
}

}  // namespace
}  // namespace wb::test
