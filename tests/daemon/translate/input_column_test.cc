#include "daemon/translate/input_column.h"

#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/io/zero_copy_stream_impl_lite.h>
#include <gtest/gtest.h>

#include <cstring>
#include <random>

#include "daemon/translate/translate_column.h"
#include "daemon/translate/wire_reader.h"
#include "wasmburst/v1/program.pb.h"

namespace wb {
namespace {

namespace v1 = wasmburst::v1;

Result<Column> Read(const std::string& bytes) {
  ByteBlock block = ByteBlock::Of(bytes.size());
  std::memcpy(block.bytes.get(), bytes.data(), bytes.size());
  return ReadInputColumn(std::move(block), {}, [](uint64_t) { return Status(); });
}

// As the same column is read from a request.
void ExpectSame(const v1::Column& proto, uint64_t instances) {
  const Result<Column> uploaded = Read(proto.SerializeAsString());
  ASSERT_TRUE(uploaded.ok()) << uploaded.status().message();
  const Column inlined = ColumnFromProto(proto, instances, NoInputs, "column").value();
  EXPECT_EQ(uploaded->kind, inlined.kind);
  EXPECT_EQ(uploaded->type, inlined.type);
  EXPECT_EQ(uploaded->count(), inlined.count());
  for (uint64_t i = 0; i < instances; ++i) {
    if (inlined.kind != Column::Kind::kBytes) {
      EXPECT_EQ(uploaded->At(i), inlined.At(i));
      continue;
    }
    EXPECT_EQ(AsText(uploaded->BytesAt(i)), AsText(inlined.BytesAt(i)));
    EXPECT_EQ(uploaded->LongestBytes(), inlined.LongestBytes());
  }
}

TEST(InputColumn, IsReadAsTheSameColumnOfARequestIs) {
  std::mt19937 random(1);
  for (const uint64_t instances : {1u, 2u, 1000u}) {
    for (const v1::ValueType type : {v1::I32, v1::F32, v1::I64, v1::F64}) {
      v1::Column list;
      list.mutable_list()->set_type(type);
      for (uint64_t i = 0; i < instances; ++i) {
        if (type == v1::I32 || type == v1::F32) {
          list.mutable_list()->add_bits32(static_cast<uint32_t>(random()));
        } else {
          list.mutable_list()->add_bits64(uint64_t{random()} << 32 | random());
        }
      }
      ExpectSame(list, instances);
    }
    v1::Column bytes;
    for (uint64_t i = 0; i < instances; ++i) {
      bytes.mutable_bytes()->add_values(std::string(random() % 300, static_cast<char>(i)));
    }
    ExpectSame(bytes, instances);
  }
  v1::Column range;
  range.mutable_range()->mutable_start()->set_f64_bits(0x3ff0000000000000);
  range.mutable_range()->mutable_step()->set_f64_bits(0x3fe0000000000000);
  ExpectSame(range, 5);
  v1::Column constant;
  constant.mutable_constant()->set_v128(std::string(16, 'x'));
  ExpectSame(constant, 5);
}

// Writers may send numbers one by one, rows in parts, and fields that are not known here.
TEST(InputColumn, OtherFormsOfTheSameMessageAreTheSameColumn) {
  std::string list;
  {
    google::protobuf::io::StringOutputStream stream(&list);
    google::protobuf::io::CodedOutputStream out(&stream);
    out.WriteTag(2 << 3 | 5);
    out.WriteLittleEndian32(7);
    out.WriteTag(2 << 3 | 2);
    out.WriteVarint32(8);
    out.WriteLittleEndian32(8);
    out.WriteLittleEndian32(9);
    out.WriteTag(99 << 3 | 0);
    out.WriteVarint32(1);
    out.WriteTag(2 << 3 | 5);
    out.WriteLittleEndian32(10);
    out.WriteTag(1 << 3 | 0);
    out.WriteVarint32(v1::I32);
  }
  const Column column = Read(std::string("\x12") + static_cast<char>(list.size()) + list).value();
  ASSERT_EQ(column.count(), 4u);
  for (uint32_t i = 0; i < 4; ++i) EXPECT_EQ(column.At(i), Value::I32(7 + i));
}

TEST(InputColumn, WhatIsNoColumnIsRefused) {
  for (const std::string& bytes :
       {std::string(), std::string("\xff"), std::string("\x12\x05", 2), std::string("\x22\x7f", 2),
        std::string("\x22\x02\x0a\x05", 4), std::string("\x12\x02\x15\x00", 4),
        std::string("\x22\x01\x00", 3), std::string("\x22\x00\x22\x00", 4)}) {
    EXPECT_EQ(Read(bytes).status().code(), Code::kInvalidArgument) << testing::PrintToString(bytes);
  }
  v1::Column uploaded;
  uploaded.mutable_uploaded()->set_input("inputs/sha256:0");
  EXPECT_EQ(Read(uploaded.SerializeAsString()).status().code(), Code::kInvalidArgument);
  v1::Column mixed;
  mixed.mutable_list()->set_type(v1::I32);
  mixed.mutable_list()->add_bits64(1);
  EXPECT_EQ(Read(mixed.SerializeAsString()).status().code(), Code::kInvalidArgument);
}

// What stands before a string longer than 4 GiB is read; without its bytes the message is refused.
TEST(InputColumn, LengthsHave64Bits) {
  const uint64_t size = (uint64_t{1} << 32) + 5;
  const std::string inner = "\x0a" + std::string("\x85\x80\x80\x80\x10", 5);
  const std::string outer = "\x22" + std::string("\x8b\x80\x80\x80\x10", 5);
  const std::string head = outer + inner;
  WireReader reader(AsBytes(head));
  EXPECT_EQ(reader.ReadTag(), 0x22u);
  EXPECT_EQ(reader.ReadVarint(), size + inner.size());
  EXPECT_EQ(reader.ReadTag(), 0x0au);
  EXPECT_EQ(reader.ReadVarint(), size);
  WireReader again(AsBytes(head));
  EXPECT_EQ(again.ReadTag(), 0x22u);
  EXPECT_EQ(again.ReadLength(), std::nullopt);  // not all of it is there
  EXPECT_EQ(Read(head).status().reason(), Reason::kMalformedRequest);
}

// Any bytes: an answer, and nothing read outside of them.
TEST(InputColumn, ChangedBytesNeverBreakTheReader) {
  v1::Column bytes;
  for (int i = 0; i < 20; ++i) bytes.mutable_bytes()->add_values(std::string(i, 'x'));
  const std::string whole = bytes.SerializeAsString();
  std::mt19937 random(2);
  for (int i = 0; i < 20'000; ++i) {
    std::string changed = whole.substr(0, random() % (whole.size() + 1));
    for (int k = 0; k < 3 && !changed.empty(); ++k) {
      changed[random() % changed.size()] = static_cast<char>(random());
    }
    const Result<Column> column = Read(changed);
    if (column.ok() && column->kind == Column::Kind::kBytes) {
      for (uint64_t k = 0; k < column->count(); ++k) (void)column->BytesAt(k);
    }
  }
}

TEST(InputColumn, AsksForTheMemoryOfItsIndex) {
  v1::Column bytes;
  for (int i = 0; i < 1000; ++i) bytes.mutable_bytes()->add_values("");
  const std::string message = bytes.SerializeAsString();
  ByteBlock block = ByteBlock::Of(message.size());
  std::memcpy(block.bytes.get(), message.data(), message.size());
  uint64_t asked = 0;
  const Result<Column> column = ReadInputColumn(std::move(block), {}, [&](uint64_t more) {
    asked += more;
    return Status(Reason::kStoreFull, "There is no room.");
  });
  EXPECT_EQ(column.status().reason(), Reason::kStoreFull);
  EXPECT_EQ(asked, 8000u);
}

}  // namespace
}  // namespace wb
