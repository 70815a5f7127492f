#include "client/cli/run/item_reader.h"

#include <fcntl.h>
#include <unistd.h>

#include <thread>

#include "client/cli/run/input_lines.h"
#include "tests/client/run/run_fixture.h"

namespace wb::cli {
namespace {

using Texts = std::vector<std::string>;

class ItemReaderTest : public FolderTest {
 protected:
  // All parts of at most `most` items, each with its numbers.
  static void ExpectParts(const ItemSource& source, uint64_t most,
                          const std::vector<Texts>& parts) {
    ItemReader reader = ItemReader::Open(source, GoesOn).value();
    uint64_t number = 0;
    for (const Texts& part : parts) {
      const ItemList items = reader.Next({.most_items = most}).value();
      EXPECT_EQ(items.texts, part);
      EXPECT_EQ(items.names, reader.form().names);
      for (const uint64_t of_item : items.numbers) EXPECT_EQ(of_item, number++);
      EXPECT_EQ(items.numbers.size(), part.size());
    }
    EXPECT_EQ(reader.Next({.most_items = most}).value().size(), 0u);
    EXPECT_EQ(reader.Next({.most_items = most}).value().size(), 0u);
  }
};

TEST_F(ItemReaderTest, PartsComeOneBehindTheOther) {
  ItemSource source;
  source.instances = 5;
  ExpectParts(source, 2, {{"0", "1"}, {"2", "3"}, {"4"}});
  source = {};
  source.each = Write("rows.csv", "a,b\n1,2\n\n3,\"4\n5\"\n6,7\n");
  ExpectParts(source, 2, {{"1", "3"}, {"6"}});
  ItemReader rows = ItemReader::Open(source, GoesOn).value();
  EXPECT_EQ(rows.form().names, (Texts{"a", "b"}));
  EXPECT_EQ(rows.Next({.most_items = 2}).value().columns[1], (Texts{"2", "4\n5"}));
  EXPECT_EQ(rows.Next({.most_items = 2}).value().columns[1], Texts{"7"});
  source.each = Write("rows.jsonl", "\n{\"a\": 1}\n{\"a\": \"x\"}\n\n{\"a\": 2}");
  ExpectParts(source, 2, {{"1", "x"}, {"2"}});
  source = {};
  Write("in/b", "");
  Write("in/a", "");
  source.each_file = folder_ + "/in/*";
  ExpectParts(source, 1, {{folder_ + "/in/a"}, {folder_ + "/in/b"}});
  ExpectParts({}, 3, {{""}});
}

TEST_F(ItemReaderTest, APartHasABoundOfBytes) {
  ItemSource source;
  source.each = Write("rows.csv", "a,b\n1234,56\n7,8\n" + std::string(100, 'x') + ",\n9,0\n");
  ItemReader reader = ItemReader::Open(source, GoesOn).value();
  const auto next = [&reader] { return reader.Next({10, 13}).value().size(); };
  EXPECT_EQ(next(), 2u);  // a first field is an item and a column
  EXPECT_EQ(next(), 1u);
  EXPECT_EQ(next(), 1u);
  EXPECT_TRUE(reader.has_ended());
  EXPECT_EQ(next(), 0u);
}

TEST_F(ItemReaderTest, AWrongRowIsNamedOnceItIsReached) {
  ItemSource source;
  source.each = Write("rows.csv", "a,b\n1,2\n3,4\n5\n");
  ItemReader reader = ItemReader::Open(source, GoesOn).value();
  EXPECT_EQ(reader.Next({.most_items = 2}).value().texts, (Texts{"1", "3"}));
  EXPECT_EQ(reader.Next({.most_items = 2}).status().message(),
            "Line 4 has [1] fields; the header has [2].");
  source.each = Write("nul.csv", std::string("a\n1\nx\0y\n", 8));
  EXPECT_EQ(ReadItems(source).status().message(),
            "The item [1] has a NUL byte, which no argument may have.");
  source.each = folder_ + "/absent.csv";
  EXPECT_EQ(ItemReader::Open(source, GoesOn).status().reason(), Reason::kIoError);
  source.each = Write("none.jsonl", "\n");
  EXPECT_NE(ItemReader::Open(source, GoesOn).status().message().find("has no rows"),
            std::string::npos);
  source.each = Write("nothing.jsonl", "{}\n");
  EXPECT_FALSE(ItemReader::Open(source, GoesOn).ok());
}

// A pipe with a writer and a reader.
class InputLinesTest : public testing::Test {
 protected:
  void SetUp() override { ASSERT_EQ(pipe(ends_), 0); }
  void TearDown() override {
    close(ends_[0]);
    CloseWriter();
  }
  void Write(const std::string& text) {
    ASSERT_EQ(write(ends_[1], text.data(), text.size()), static_cast<ssize_t>(text.size()));
  }
  void CloseWriter() {
    if (ends_[1] >= 0) close(ends_[1]);
    ends_[1] = -1;
  }
  int ends_[2] = {-1, -1};
};

TEST_F(InputLinesTest, LinesComeBeforeTheEndOfAPipe) {
  InputLines lines(ends_[0], GoesOn);
  Write("one\r\n\nthr");
  EXPECT_EQ(lines.Next().value(), "one");
  EXPECT_EQ(lines.Next().value(), "");
  Write("ee\nlast");
  EXPECT_EQ(lines.Next().value(), "three");
  CloseWriter();
  EXPECT_EQ(lines.Next().value(), "last");
  EXPECT_EQ(lines.Next().value(), std::nullopt);
  EXPECT_EQ(lines.Next().value(), std::nullopt);
}

TEST_F(InputLinesTest, ALongLineIsWhole) {
  const std::string line(300'000, 'x');
  std::thread writer([&] {
    Write(line + "\n" + line);
    CloseWriter();
  });
  InputLines lines(ends_[0], GoesOn);
  EXPECT_EQ(lines.Next().value(), line);
  EXPECT_EQ(lines.Next().value(), line);
  EXPECT_EQ(lines.Next().value(), std::nullopt);
  writer.join();
}

TEST_F(InputLinesTest, InputWithoutLinesHasABound) {
  const int zeros = open("/dev/zero", O_RDONLY);
  ASSERT_GE(zeros, 0);
  InputLines lines(zeros, GoesOn);
  EXPECT_EQ(lines.Next().status().reason(), Reason::kInvalidArgument);
  close(zeros);
}

TEST_F(InputLinesTest, AWaitEndsWhenItIsToEnd) {
  int asked = 0;
  InputLines lines(ends_[0], [&asked] {
    return ++asked < 3 ? Status() : Status(Reason::kCancelled, "Interrupted.");
  });
  EXPECT_EQ(lines.Next().status().reason(), Reason::kCancelled);
}

}  // namespace
}  // namespace wb::cli
