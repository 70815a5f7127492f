#include "tests/compiler/emit/random_function.h"

namespace wb::test {
namespace {

struct LaneAccess {
  const char* load;
  const char* store;
  uint32_t lanes;
};
constexpr LaneAccess kLaneAccesses[] = {
    {"v128.load8_lane", "v128.store8_lane", 16},
    {"v128.load16_lane", "v128.store16_lane", 8},
    {"v128.load32_lane", "v128.store32_lane", 4},
    {"v128.load64_lane", "v128.store64_lane", 2},
};

}  // namespace

// Mostly inside memory, whose first KiB the tests read back; some about the end of its first page.
void FunctionMaker::Address() {
  if (Chance(35)) return KnownAddress();
  Expr(ValueType::kI32);
  if (Chance(1)) return;
  const bool end = Chance(4);
  Line(end ? "i32.const 31" : "i32.const 1023");
  Line("i32.and");
  if (!end) return;
  Line("i32.const 65503");
  Line("i32.add");
}

// Of shapes whose low bits compilers know: a scaled index, a mask, what comes from 64 bits, and a
// local that goes on by words, which may be odd after one round of a loop only.
void FunctionMaker::KnownAddress() {
  static constexpr const char* kMasks[] = {"1016", "1020", "1022"};
  const uint32_t shape = Below(4);
  if (shape == 3) {
    const std::string words = std::to_string(words_);
    Line("local.get " + words);
    Line("i32.const " + std::to_string(4 * Below(9)));
    Line("i32.add");
    Line("i32.const 1020");
    Line("i32.and");
    if (Chance(3)) {
      Line("i32.const 1");
      Line("i32.or");
    }
    return Line("local.tee " + words);
  }
  if (shape == 2) {
    Expr(ValueType::kI64);
    Line("i64.const " + std::to_string(2 + Below(3)));
    Line(Chance(50) ? "i64.shl" : "i64.mul");
    Line("i32.wrap_i64");
  } else {
    Expr(ValueType::kI32);
  }
  Line("i32.const " + std::string(shape == 0 ? "127" : OneOf(kMasks)));
  Line("i32.and");
  if (shape != 0) return;
  Line("i32.const " + std::to_string(1 + Below(3)));
  Line("i32.shl");
}

std::string FunctionMaker::Offset() {
  if (Chance(1)) return Chance(50) ? " offset=4294967295" : " offset=131069";
  return Chance(50) ? "" : " offset=" + std::to_string(Below(70));
}

// Which memory, where there are two; an operand that comes first.
std::string FunctionMaker::Memory() { return memories_ > 1 && Chance(40) ? " $second" : ""; }

void FunctionMaker::Load(ValueType type) {
  static constexpr const char* kSmall[] = {"load8_s",  "load8_u",  "load16_s",
                                           "load16_u", "load32_s", "load32_u"};
  if (type == ValueType::kV128) return LoadVector();
  if (type == ValueType::kFuncRef) {
    Element();
    return Line("table.get " + std::string(ChangedTable()));
  }
  const bool integer = type == ValueType::kI32 || type == ValueType::kI64;
  Address();
  std::string_view load = "load";
  if (integer && Chance(40)) load = kSmall[Below(type == ValueType::kI32 ? 4 : 6)];
  Line(std::string(TypeName(type)) + "." + std::string(load) + Memory() + Offset());
}

void FunctionMaker::LoadVector() {
  static constexpr const char* kLoads[] = {
      "v128.load",        "v128.load",         "v128.load8x8_s",    "v128.load8x8_u",
      "v128.load16x4_s",  "v128.load16x4_u",   "v128.load32x2_s",   "v128.load32x2_u",
      "v128.load8_splat", "v128.load16_splat", "v128.load32_splat", "v128.load64_splat",
      "v128.load32_zero", "v128.load64_zero"};
  Address();
  if (Chance(70)) return Line(std::string(OneOf(kLoads)) + Memory() + Offset());
  Expr(ValueType::kV128);
  const LaneAccess& access = kLaneAccesses[Below(4)];
  Line(access.load + Offset() + " " + std::to_string(Below(access.lanes)));
}

void FunctionMaker::Store(ValueType type) {
  static constexpr const char* kSmall[] = {"store8", "store16", "store32"};
  if (type == ValueType::kV128) return StoreVector();
  if (type == ValueType::kFuncRef) {
    Element();
    Expr(type);
    return Line("table.set " + std::string(ChangedTable()));
  }
  const bool integer = type == ValueType::kI32 || type == ValueType::kI64;
  Address();
  Expr(type);
  std::string_view store = "store";
  if (integer && Chance(40)) store = kSmall[Below(type == ValueType::kI32 ? 2 : 3)];
  Line(std::string(TypeName(type)) + "." + std::string(store) + Memory() + Offset());
}

void FunctionMaker::StoreVector() {
  Address();
  Expr(ValueType::kV128);
  if (Chance(60)) return Line("v128.store" + Memory() + Offset());
  const LaneAccess& access = kLaneAccesses[Below(4)];
  Line(access.store + Offset() + " " + std::to_string(Below(access.lanes)));
}

void FunctionMaker::Bulk() {
  if (Chance(30)) return Init();
  Address();
  Address();
  // Over 4 KiB there is a safepoint inside.
  Line("i32.const " + std::to_string(Chance(60) ? Below(40) : Below(14000)));
  if (Chance(50)) return Line("memory.fill" + Memory());
  if (memories_ == 1) return Line("memory.copy");
  const std::string to = Chance(40) ? " $second" : " 0";
  Line("memory.copy" + to + (Chance(40) ? " $second" : " 0"));
}

// Of a part of a segment that is there until it is dropped.
void FunctionMaker::Init() {
  const uint32_t from = Below(kDataBytes + 1);
  Address();
  Line("i32.const " + std::to_string(from));
  Line("i32.const " + std::to_string(Below(kDataBytes + (Chance(2) ? 2 : 1) - from)));
  Line("memory.init $data");
  if (Chance(5)) Line("data.drop $data");
}

void FunctionMaker::GrowOrLeaf(ValueType type) {
  if (type != ValueType::kI32) return Leaf(type);
  switch (Below(4)) {
    case 0: return Line("memory.size" + Memory());
    case 1: return Line("table.size " + std::string(ChangedTable()));
    case 2:
      Expr(ValueType::kFuncRef);
      Line("i32.const " + std::to_string(Below(3)));
      return Line("table.grow $t");
    default: Line("i32.const " + std::to_string(Below(3))); return Line("memory.grow" + Memory());
  }
}

void FunctionMaker::Reference() {
  if (Chance(50)) return Const(ValueType::kFuncRef);
  Element();
  Line("table.get " + std::string(ChangedTable()));
}

// Below 8, so that a few more elements follow.
void FunctionMaker::Element() {
  Expr(ValueType::kI32);
  if (Chance(1)) return;
  Line("i32.const 7");
  Line("i32.and");
}

void FunctionMaker::TableBulk() {
  const uint32_t count = Below(kTableElements - 7);
  const uint32_t kind = Below(100);
  Element();
  if (kind < 35) {
    Expr(ValueType::kFuncRef);
    Line("i32.const " + std::to_string(count));
    return Line("table.fill " + std::string(ChangedTable()));
  }
  if (kind < 70) {
    Element();
    Line("i32.const " + std::to_string(count));
    const std::string to(ChangedTable());
    return Line("table.copy " + to + " " + std::string(ChangedTable()));
  }
  const uint32_t from = Below(kSegmentElements + 1);
  Line("i32.const " + std::to_string(from));
  Line("i32.const " + std::to_string(Below(kSegmentElements + 1 - from)));
  Line("table.init " + std::string(ChangedTable()) + " $segment");
  if (Chance(3)) Line("elem.drop $segment");
}

}  // namespace wb::test
