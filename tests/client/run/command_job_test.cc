#include "client/cli/run/command_job.h"

#include <functional>
#include <utility>

#include "client/cli/run/host_files.h"
#include "tests/client/run/run_fixture.h"

namespace wb::cli {
namespace {

namespace v1 = wasmburst::v1;
using Texts = std::vector<std::string>;

Texts ValuesOf(const v1::Job& job, const v1::BytesOperand& operand) {
  if (operand.source_case() == v1::BytesOperand::kConstant) return {operand.constant()};
  const auto& values = job.columns(static_cast<int>(operand.column())).bytes().values();
  return Texts(values.begin(), values.end());
}

// Of all items as one job.
Result<v1::Job> Build(const CommandOptions& options, const ItemList& items) {
  const auto upload = [](const InputSource& column) -> Result<v1::Input> {
    return Status(Reason::kInternal, column.name + " is uploaded.");
  };
  WB_ASSIGN(const SharedInputs shared, ReadShared(options, upload));
  return BuildCommandJob(options, shared, items, {0, items.size()});
}

class CommandJobTest : public FolderTest {
 protected:
  ItemList Files() {
    Write("in/a.txt", "of a");
    Write("in/b.txt", "of b");
    ItemSource source;
    source.each_file = folder_ + "/in/*";
    return ReadItems(source).value();
  }
};

TEST_F(CommandJobTest, WhatIsTheSameForAllIsAConstant) {
  CommandOptions options;
  options.name = "prog.wasm";
  options.args = {"--flag", "{/}", "{/}"};
  options.environment = {"A=1", "B={#}"};
  const v1::Job job = Build(options, Files()).value();
  EXPECT_EQ(job.instances(), 2u);
  const v1::Command& command = job.command();
  ASSERT_EQ(command.args_size(), 4);
  EXPECT_EQ(command.args(0).constant(), "prog.wasm");
  EXPECT_EQ(command.args(1).constant(), "--flag");
  EXPECT_EQ(ValuesOf(job, command.args(2)), (Texts{"a.txt", "b.txt"}));
  EXPECT_EQ(command.args(3).column(), command.args(2).column());
  EXPECT_EQ(ValuesOf(job, command.environment(0)), Texts{"A=1"});
  EXPECT_EQ(ValuesOf(job, command.environment(1)), (Texts{"B=1", "B=2"}));
  EXPECT_FALSE(command.has_standard_input());
}

TEST_F(CommandJobTest, FilesAreReadForEachItem) {
  CommandOptions options;
  options.input_from = "{}";
  options.own_files = {"data/{/}={}", "same=" + Write("same", "one for all")};
  const v1::Job job = Build(options, Files()).value();
  EXPECT_EQ(ValuesOf(job, job.command().standard_input()), (Texts{"of a", "of b"}));
  ASSERT_EQ(job.command().own_files_size(), 2);
  const v1::OwnFile& file = job.command().own_files(0);
  EXPECT_EQ(ValuesOf(job, file.path()), (Texts{"data/a.txt", "data/b.txt"}));
  EXPECT_EQ(file.data().column(), job.command().standard_input().column());  // held once
  EXPECT_EQ(ValuesOf(job, job.command().own_files(1).data()), Texts{"one for all"});
}

TEST_F(CommandJobTest, StandardInputMayBeAColumnOfTheRows) {
  ItemSource source;
  source.each =
      Write("rows.jsonl", "{\"name\":\"x\",\"text\":\"hello\"}\n{\"name\":\"y\",\"text\":2}\n");
  const ItemList rows = ReadItems(source).value();
  CommandOptions options;
  options.input_column = "text";
  v1::Job job = Build(options, rows).value();
  EXPECT_EQ(ValuesOf(job, job.command().standard_input()), (Texts{"hello", "2"}));
  options.input_column = "{name}: {text}\n";
  job = Build(options, rows).value();
  EXPECT_EQ(ValuesOf(job, job.command().standard_input()), (Texts{"x: hello\n", "y: 2\n"}));
  options.input_from = "{name}";
  EXPECT_EQ(Build(options, rows).status().reason(), Reason::kInvalidArgument);
}

TEST_F(CommandJobTest, TheClockIsATimeOrNow) {
  CommandOptions options;
  options.clock = "2026-01-31T12:00:00Z";
  const ItemList one = ReadItems({}).value();
  EXPECT_EQ(Build(options, one).value().command().clock_start().seconds(), 1769860800);
  options.clock = "now";
  EXPECT_GT(Build(options, one).value().command().clock_start().seconds(), 1769860800 - 1);
  options.clock = "noon";
  const Status status = Build(options, one).status();
  EXPECT_NE(status.message().find("[noon] of --clock"), std::string::npos) << status.message();
}

TEST_F(CommandJobTest, WhatHasNotItsFormIsNamed) {
  const ItemList one = ReadItems({}).value();
  CommandOptions options;
  options.own_files = {"guest"};
  EXPECT_NE(Build(options, one).status().message().find("[guest] is not GUEST=HOST"),
            std::string::npos);
  options.own_files.clear();
  options.environment = {"=x"};
  EXPECT_NE(Build(options, one).status().message().find("[=x] is not NAME=TEXT"),
            std::string::npos);
  options.environment.clear();
  options.input_file = folder_ + "/absent";
  EXPECT_EQ(Build(options, one).status().reason(), Reason::kIoError);
}

TEST_F(CommandJobTest, AJobTakesAsManyItemsAsItsFilesAllow) {
  CommandOptions options;
  options.input_from = "{}";
  const ItemList files = Files();  // of 4 bytes each
  const auto count = [&](uint64_t first, const RangeBounds& bounds) {
    const ItemRange range = NextRange(options, files, first, bounds).value();
    EXPECT_EQ(range.first, first);
    return range.count;
  };
  EXPECT_EQ(count(0, {}), 2u);
  EXPECT_EQ(count(0, {10, 8}), 2u);
  EXPECT_EQ(count(0, {10, 7}), 1u);
  EXPECT_EQ(count(0, {10, 1}), 1u);  // a file that is longer has a job of its own
  EXPECT_EQ(count(0, {1, 100}), 1u);
  EXPECT_EQ(count(1, {10, 7}), 1u);
}

TEST_F(CommandJobTest, APartOfTheItemsHasItsOwnTextsFilesAndSeed) {
  CommandOptions options;
  options.args = {"{#}"};
  options.input_from = "{}";
  options.input_file.clear();
  const ItemList files = Files();
  const v1::Job all = Build(options, files).value();
  const v1::Job second = BuildCommandJob(options, {}, files, {1, 1}).value();
  EXPECT_EQ(second.instances(), 1u);
  EXPECT_EQ(ValuesOf(second, second.command().args(1)), Texts{"2"});
  EXPECT_EQ(ValuesOf(second, second.command().standard_input()), Texts{"of b"});
  EXPECT_NE(second.command().seed(), all.command().seed());
}

// The number that stands for the instance's own in what it draws, or none.
Texts DrawNumbers(const v1::Job& job) {
  return job.command().has_draw_numbers() ? ValuesOf(job, job.command().draw_numbers()) : Texts{};
}

TEST_F(CommandJobTest, WhatAnItemDrawsFollowsFromItsNumberAmongAll) {
  ItemSource source;
  source.instances = 400;
  const ItemList all = ReadItems(source).value();
  const auto seed_of = [&](uint64_t first) {
    return BuildCommandJob({}, {}, all, {first, 1}).value().command().seed();
  };
  ItemList left = all;
  left.Keep([](uint64_t place) { return place >= 300 || place == 5; });
  const v1::Job tail = BuildCommandJob({}, {}, left, {1, 100}).value();
  EXPECT_EQ(tail.command().seed(), seed_of(300));
  EXPECT_EQ(DrawNumbers(tail), Texts{});
  const v1::Job gap = BuildCommandJob({}, {}, left, {0, 2}).value();
  EXPECT_EQ(gap.command().seed(), seed_of(0));
  EXPECT_EQ(DrawNumbers(gap),
            (Texts{std::string("\5\0\0\0\0\0\0\0", 8), std::string("\54\1\0\0\0\0\0\0", 8)}));
}

// In parts of a bounded length, whatever is written.
Result<std::string> Written(const InputSource& source) {
  std::string bytes;
  const Status status = source.write([&](std::string_view part) {
    EXPECT_LE(part.size(), size_t{1} << 20);
    bytes += part;
    return Status();
  });
  if (!status.ok()) return status;
  EXPECT_EQ(bytes.size(), source.bytes);
  return bytes;
}

Result<std::string> Pack(const std::string& folder, bool keep_times = false) {
  WB_ASSIGN(const FolderListing listing, FolderListing::Of(folder, keep_times));
  return Written(listing.Source());
}

TEST_F(CommandJobTest, AFolderIsPackedTheSameWhateverItsTimes) {
  Write("set/sub/x", "1");
  Write("set/y", "22");
  const std::string image = Pack(folder_ + "/set").value();
  std::filesystem::last_write_time(
      folder_ + "/set/y", std::filesystem::file_time_type::clock::now() - std::chrono::hours(1));
  EXPECT_EQ(Pack(folder_ + "/set").value(), image);
  EXPECT_NE(Pack(folder_ + "/set", true).value(), image);
  EXPECT_EQ(Pack(folder_ + "/absent").status().reason(), Reason::kIoError);
}

TEST_F(CommandJobTest, ALongFileIsReadInParts) {
  const std::string bytes = std::string(2 << 20, 'x') + "end";
  Write("set/long", bytes);
  Write("set/short", "s");
  const std::string image = Pack(folder_ + "/set").value();
  EXPECT_NE(image.find(bytes), std::string::npos);
}

TEST_F(CommandJobTest, LinkedFilesArePackedAndLinkedFoldersLeftOut) {
  const std::string out = Write("outside/z", "zz");
  Write("set/y", "22");
  std::filesystem::create_symlink(out, folder_ + "/set/link");
  const std::string image = Pack(folder_ + "/set").value();
  EXPECT_NE(image.find("zz"), std::string::npos);
  std::filesystem::create_directory_symlink(folder_, folder_ + "/set/loop");
  EXPECT_EQ(Pack(folder_ + "/set").value(), image);
}

TEST_F(CommandJobTest, AFileThatChangesWhileItIsReadIsNamed) {
  namespace fs = std::filesystem;
  Write("set/before", "1");
  const std::string path = Write("set/data", "12345678");
  const std::vector<std::pair<std::string, std::function<void()>>> changes = {
      {"has [3]", [&] { fs::resize_file(path, 3); }},
      {"has [9]", [&] { Write("set/data", "123456789"); }},
      {"has [8]",  // other bytes, of a later time
       [&] { fs::last_write_time(path, fs::last_write_time(path) + std::chrono::seconds(1)); }},
      {"has [8]",  // another file in its place, of the same time
       [&] {
         const auto time = fs::last_write_time(path);
         fs::last_write_time(Write("other", "87654321"), time);
         fs::rename(folder_ + "/other", path);
         fs::last_write_time(path, time);
       }},
      {"No such file", [&] { fs::remove(path); }},
  };
  for (const auto& [words, change] : changes) {
    Write("set/data", "12345678");
    const FolderListing listing = FolderListing::Of(folder_ + "/set", false).value();
    const HostFile file = HostFile::At(path).value();
    EXPECT_TRUE(Written(listing.Source()).ok());
    EXPECT_TRUE(Written(file.Source()).ok());
    change();
    for (const InputSource& source : {listing.Source(), file.Source()}) {
      const Status status = Written(source).status();
      EXPECT_EQ(status.reason(), Reason::kIoError);
      EXPECT_NE(status.message().find("[" + path + "]"), std::string::npos) << status.message();
      EXPECT_NE(status.message().find(words), std::string::npos) << status.message();
    }
    EXPECT_TRUE(Pack(folder_ + "/set").ok());  // the next run has it as it is
  }
}

TEST_F(CommandJobTest, LongSharedInputsAreUploadedAndShortOnesAreInTheJob) {
  CommandOptions options;
  options.input_file = Write("stdin", "short");
  options.files = folder_ + "/set";
  Write("set/data", "short");
  Texts uploaded;
  const auto upload = [&](const InputSource& column) -> Result<v1::Input> {
    WB_ASSIGN(const std::string bytes, Written(column));
    v1::Column parsed;
    EXPECT_TRUE(parsed.ParseFromString(bytes));
    uploaded.push_back(parsed.bytes().values(0));
    v1::Input input;
    input.set_name("inputs/" + std::to_string(uploaded.size()));
    return input;
  };
  SharedInputs shared = ReadShared(options, upload).value();
  EXPECT_EQ(shared.standard_input->bytes().values(0), "short");
  EXPECT_EQ(shared.files->bytes().values(0), Pack(options.files).value());
  EXPECT_TRUE(uploaded.empty());
  const std::string longer(100'000, 'x');
  Write("stdin", longer);
  Write("set/data", longer);
  shared = ReadShared(options, upload).value();
  EXPECT_EQ(shared.standard_input->uploaded().input(), "inputs/1");
  EXPECT_EQ(shared.files->uploaded().input(), "inputs/2");
  EXPECT_EQ(uploaded, (Texts{longer, Pack(options.files).value()}));
}

TEST_F(CommandJobTest, ItemsComeFromOneSource) {
  ItemSource source;
  source.each_file = folder_ + "/*";
  source.instances = 3;
  EXPECT_EQ(ReadItems(source).status().reason(), Reason::kInvalidArgument);
  source.each_file.clear();
  EXPECT_EQ(ReadItems(source).value().texts, (Texts{"0", "1", "2"}));
  source.instances = 0;
  EXPECT_FALSE(ReadItems(source).ok());
}

TEST_F(CommandJobTest, TheFirstFieldOfARowIsItsItem) {
  ItemSource source;
  source.each = Write("rows.csv", "zeta,alpha\n1,2\n3,4\n");
  ItemList rows = ReadItems(source).value();
  EXPECT_EQ(rows.texts, (Texts{"1", "3"}));
  rows.Keep([](uint64_t place) { return place == 1; });
  EXPECT_EQ(rows.texts, Texts{"3"});
  EXPECT_EQ(rows.numbers, std::vector<uint64_t>{1});
  EXPECT_EQ(rows.columns[1], Texts{"4"});
  source.each = Write("rows.jsonl", "{\"zeta\":5,\"alpha\":6}\n");
  EXPECT_EQ(ReadItems(source).value().texts, Texts{"5"});
  source.each = Write("missing.jsonl", "{\"a\":5}\n{\"b\":6}\n");
  EXPECT_NE(ReadItems(source).status().message().find("Line 2 has no member [a]"),
            std::string::npos);
  source.each = Write("empty.csv", "a,b\n");
  EXPECT_NE(ReadItems(source).status().message().find("has no rows"), std::string::npos);
  source.each = "rows.txt";
  EXPECT_NE(ReadItems(source).status().message().find("neither .csv nor .jsonl"),
            std::string::npos);
}

}  // namespace
}  // namespace wb::cli
