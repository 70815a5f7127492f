#include "scheduler/engine_host/inspection_messages.h"

#include <gtest/gtest.h>

namespace wb::test {
namespace {

namespace engine = wasmburst::engine;

InspectionRequest AllOfIt() {
  InspectionRequest request;
  request.state = true;
  request.max_state_bytes = 1000;
  request.detail = TraceDetail::kOperators;
  request.max_lines = 10;
  request.until = InspectionRequest::Until{3, 1, 5};
  return request;
}

Inspection Sample() {
  Inspection seen;
  seen.reached = true;
  seen.frames = {{1, 20, {{ValueType::kI64, 7, 0}}, {{ValueType::kV128, 8, 9}}}};
  seen.memories = {{2, {{16, {1, 2, 3}}, {131071, {4}}}}, {0, {}}};
  seen.globals = {{ValueType::kF32, 5, 0}};
  seen.tables = {{{0, 3}}};
  seen.lines = {{SeenLine::Kind::kOperator, 2, 1, 20, "i32.add", {{ValueType::kI32, 1, 0}}, {}}};
  seen.line_count = 12;
  return seen;
}

engine::Inspected Sent() {
  engine::Inspected sent;
  Put(Sample(), sent);
  return sent;
}

TEST(InspectionMessagesTest, WhatIsSentArrives) {
  engine::Inspected sent = Sent();
  const Inspection read = InspectionOf(sent, AllOfIt()).value();
  const Inspection want = Sample();
  EXPECT_EQ(read.reached, want.reached);
  EXPECT_EQ(read.frames, want.frames);
  EXPECT_EQ(read.memories, want.memories);
  EXPECT_EQ(read.globals, want.globals);
  EXPECT_EQ(read.tables, want.tables);
  EXPECT_EQ(read.lines, want.lines);
  EXPECT_EQ(read.line_count, want.line_count);
}

TEST(InspectionMessagesTest, ARequestArrives) {
  engine::Inspect sent;
  Put(AllOfIt(), sent);
  const InspectionRequest read = InspectionRequestOf(sent);
  EXPECT_EQ(read.max_state_bytes, 1000u);
  EXPECT_EQ(read.detail, TraceDetail::kOperators);
  EXPECT_EQ(read.max_lines, 10u);
  ASSERT_TRUE(read.until);
  EXPECT_EQ(read.until->offset, 3u);
  EXPECT_EQ(read.until->from, 1u);
  EXPECT_EQ(read.until->to, 5u);
  sent.set_detail(99);
  EXPECT_EQ(InspectionRequestOf(sent).detail, TraceDetail::kOperators);
}

// A guest may have taken its host over.
struct Lie {
  const char* what;
  void (*tell)(engine::Inspected*);
};
void PrintTo(const Lie& lie, std::ostream* out) { *out << lie.what; }

class InspectionLieTest : public testing::TestWithParam<Lie> {};

TEST_P(InspectionLieTest, IsNotBelieved) {
  engine::Inspected sent = Sent();
  GetParam().tell(&sent);
  EXPECT_EQ(InspectionOf(sent, AllOfIt()).status().reason(), Reason::kInternal);
}

INSTANTIATE_TEST_SUITE_P(
    All, InspectionLieTest,
    testing::Values(
        Lie{"too many pages", [](auto* sent) { sent->mutable_memories(0)->set_pages(65537); }},
        Lie{"a chunk beyond its memory",
            [](auto* sent) { sent->mutable_memories(0)->mutable_chunks(1)->set_at(131072); }},
        Lie{"a chunk in a memory without pages",
            [](auto* sent) { sent->mutable_memories(1)->add_chunks()->set_data("x"); }},
        Lie{"chunks that overlap",
            [](auto* sent) { sent->mutable_memories(0)->mutable_chunks(1)->set_at(17); }},
        Lie{"more bytes than were asked for",
            [](auto* sent) {
              sent->mutable_memories(0)->mutable_chunks(0)->set_data(std::string(1001, 'x'));
            }},
        Lie{"a table that is too long",
            [](auto* sent) { sent->mutable_tables(0)->mutable_elements()->Resize(251, 0); }},
        Lie{"a type that is not known", [](auto* sent) { sent->mutable_globals(0)->set_type(77); }},
        Lie{"more frames than there may be",
            [](auto* sent) {
              while (sent->frames_size() <= static_cast<int>(Inspection::kMostFrames)) {
                sent->add_frames();
              }
            }},
        Lie{"more lines than were asked for",
            [](auto* sent) {
              for (int i = 0; i < 10; ++i) sent->add_lines();
            }},
        Lie{"a line of an unknown kind", [](auto* sent) { sent->mutable_lines(0)->set_kind(9); }},
        Lie{"fewer lines than it tells", [](auto* sent) { sent->set_line_count(0); }}));

}  // namespace
}  // namespace wb::test
