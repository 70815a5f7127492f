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

// Mostly inside memory, whose first KiB the tests read back.
void FunctionMaker::Address() {
  Expr(ValueType::kI32);
  if (Chance(1)) return;
  Line("i32.const 1023");
  Line("i32.and");
}

std::string FunctionMaker::Offset() {
  return Chance(50) ? "" : " offset=" + std::to_string(Below(70));
}

void FunctionMaker::Load(ValueType type) {
  static constexpr const char* kSmall[] = {"load8_s", "load8_u", "load16_s", "load16_u"};
  if (type == ValueType::kV128) return LoadVector();
  if (type == ValueType::kFuncRef) {
    Element();
    return Line("table.get " + std::string(ChangedTable()));
  }
  const bool integer = type == ValueType::kI32 || type == ValueType::kI64;
  Address();
  Line(std::string(TypeName(type)) + "." +
       std::string(integer && Chance(40) ? OneOf(kSmall) : std::string_view("load")) + Offset());
}

void FunctionMaker::LoadVector() {
  static constexpr const char* kLoads[] = {
      "v128.load",        "v128.load",         "v128.load8x8_s",    "v128.load8x8_u",
      "v128.load16x4_s",  "v128.load16x4_u",   "v128.load32x2_s",   "v128.load32x2_u",
      "v128.load8_splat", "v128.load16_splat", "v128.load32_splat", "v128.load64_splat",
      "v128.load32_zero", "v128.load64_zero"};
  Address();
  if (Chance(70)) return Line(std::string(OneOf(kLoads)) + Offset());
  Expr(ValueType::kV128);
  const LaneAccess& access = kLaneAccesses[Below(4)];
  Line(access.load + Offset() + " " + std::to_string(Below(access.lanes)));
}

void FunctionMaker::Store(ValueType type) {
  static constexpr const char* kSmall[] = {"store8", "store16"};
  if (type == ValueType::kV128) return StoreVector();
  if (type == ValueType::kFuncRef) {
    Element();
    Expr(type);
    return Line("table.set " + std::string(ChangedTable()));
  }
  const bool integer = type == ValueType::kI32 || type == ValueType::kI64;
  Address();
  Expr(type);
  Line(std::string(TypeName(type)) + "." +
       std::string(integer && Chance(40) ? OneOf(kSmall) : std::string_view("store")) + Offset());
}

void FunctionMaker::StoreVector() {
  Address();
  Expr(ValueType::kV128);
  if (Chance(60)) return Line("v128.store" + Offset());
  const LaneAccess& access = kLaneAccesses[Below(4)];
  Line(access.store + Offset() + " " + std::to_string(Below(access.lanes)));
}

void FunctionMaker::Bulk() {
  Address();
  Address();
  // Over 4 KiB there is a safepoint inside.
  Line("i32.const " + std::to_string(Chance(60) ? Below(40) : Below(14000)));
  Line(Chance(50) ? "memory.fill" : "memory.copy");
}

void FunctionMaker::GrowOrLeaf(ValueType type) {
  if (type != ValueType::kI32) return Leaf(type);
  switch (Below(4)) {
    case 0: return Line("memory.size");
    case 1: return Line("table.size " + std::string(ChangedTable()));
    case 2:
      Expr(ValueType::kFuncRef);
      Line("i32.const " + std::to_string(Below(3)));
      return Line("table.grow $t");
    default: Line("i32.const " + std::to_string(Below(3))); return Line("memory.grow");
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

// Pushes the i32 of a function in a table: a fixed one, or one that changes, mostly not null.
void FunctionMaker::CallElement() {
  if (Chance(40)) {
    Expr(ValueType::kI32);
    Expr(ValueType::kV128);
    Line("i32.const " + std::to_string(Below(kLeaves)));
    return Line("call_indirect $fixed (type $leaf)");
  }
  const std::string table(ChangedTable());
  const std::string element = std::to_string(element_);
  Element();
  Line("local.tee " + element);
  Line("table.get " + table);
  Line("ref.is_null");
  if (Chance(5)) {
    Line("drop");
    Line("i32.const 0");
  }
  Line("if (result i32)");
  Const(ValueType::kI32);
  Line("else");
  Leaf(ValueType::kI32);
  Leaf(ValueType::kV128);
  Line("local.get " + element);
  Line("call_indirect " + table + " (type $leaf)");
  Line("end");
}

}  // namespace wb::test
