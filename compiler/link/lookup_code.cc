#include "compiler/link/lookup_code.h"

#include <algorithm>
#include <numeric>

#include "compiler/link/constants.h"
#include "compiler/link/operator_bytes.h"

namespace wb {
namespace {

using namespace operators;

constexpr size_t kMostCompared = 16;  // rows

bool IsWide(ValueType type) { return type == ValueType::kI64 || type == ValueType::kF64; }
uint32_t WidthOf(ValueType type) { return IsWide(type) ? 8 : 4; }

ValueType TypeOf(const FunctionType& type, size_t column) {
  const size_t params = type.params.size();
  return column < params ? type.params[column] : type.results[column - params];
}

// Bytes of a row before that column.
uint32_t OffsetOf(const LookupTable& table, size_t column) {
  uint32_t offset = 0;
  for (size_t i = 0; i < column; ++i) offset += WidthOf(TypeOf(table.type, i));
  return offset;
}

uint32_t RowBytes(const LookupTable& table) { return OffsetOf(table, table.columns()); }

class LookupWriter {
 public:
  LookupWriter(const LookupTable& table, const std::vector<BoundValue>& otherwise,
               const TablePlace& place)
      : table_(table), otherwise_(otherwise), place_(place) {}

  Bytes Run() {
    if (IsInMemory(table_)) {
      Search();
    } else {
      code_.Number(0);  // locals
      for (size_t row = 0; row < table_.rows(); ++row) CompareRow(row);
    }
    if (otherwise_.empty()) code_.Byte(kUnreachable);
    for (const BoundValue& value : otherwise_) PutConstant(value, code_);
    code_.Byte(kEnd);
    return code_.Take();
  }

 private:
  size_t Params() const { return table_.type.params.size(); }
  uint32_t Low() const { return static_cast<uint32_t>(Params()); }  // locals
  uint32_t High() const { return Low() + 1; }
  uint32_t Middle() const { return Low() + 2; }
  uint32_t Address() const { return Low() + 3; }

  void Op(uint8_t opcode, uint32_t immediate) {
    code_.Byte(opcode);
    code_.Number(immediate);
  }
  void Number(uint32_t number) { PutConstant({ValueType::kI32, number}, code_); }

  // The bits of an argument.
  void Argument(size_t column) {
    Op(kLocalGet, static_cast<uint32_t>(column));
    if (table_.type.params[column] == ValueType::kF32) code_.Byte(kI32OfF32);
    if (table_.type.params[column] == ValueType::kF64) code_.Byte(kI64OfF64);
  }

  // Returns the row's results if it has the arguments.
  void CompareRow(size_t row) {
    const uint64_t* cells = table_.cells.data() + row * table_.columns();
    Op(kBlock, kNoResult);
    for (size_t i = 0; i < Params(); ++i) {
      const bool wide = IsWide(table_.type.params[i]);
      Argument(i);
      PutConstant({wide ? ValueType::kI64 : ValueType::kI32, cells[i]}, code_);
      code_.Byte(wide ? kI64Ne : kI32Ne);
      Op(kBrIf, 0);
    }
    for (size_t i = Params(); i < table_.columns(); ++i) {
      PutConstant({TypeOf(table_.type, i), cells[i]}, code_);
    }
    code_.Byte(kReturn);
    code_.Byte(kEnd);
  }

  // The cell of the row at the local Address.
  void Load(uint8_t opcode, size_t column) {
    constexpr uint8_t kWords = 2, kNamesMemory = 0x40;  // rows are aligned to words
    Op(kLocalGet, Address());
    code_.Byte(opcode);
    code_.Byte(place_.memory == 0 ? kWords : kWords | kNamesMemory);
    if (place_.memory != 0) code_.Number(place_.memory);
    code_.Number(place_.address + OffsetOf(table_, column));
  }

  // Leaves blocks: 0 if the row lies behind the arguments, 1 if it lies before them.
  void CompareLoaded(size_t column) {
    const bool wide = IsWide(table_.type.params[column]);
    Load(wide ? kI64Load : kI32Load, column);
    Argument(column);
    code_.Byte(wide ? kI64GtU : kI32GtU);
    Op(kBrIf, 0);
    Load(wide ? kI64Load : kI32Load, column);
    Argument(column);
    code_.Byte(wide ? kI64LtU : kI32LtU);
    Op(kBrIf, 1);
  }

  void LoadResult(size_t column) {
    switch (TypeOf(table_.type, column)) {
      case ValueType::kI64: return Load(kI64Load, column);
      case ValueType::kF32: return Load(kF32Load, column);
      case ValueType::kF64: return Load(kF64Load, column);
      default: return Load(kI32Load, column);
    }
  }

  // middle = (low + high) / 2, and the address of that row without the table's own.
  void TakeMiddle() {
    Op(kLocalGet, Low());
    Op(kLocalGet, High());
    code_.Byte(kI32Add);
    Number(1);
    code_.Byte(kI32ShrU);
    Op(kLocalSet, Middle());
    Op(kLocalGet, Middle());
    Number(RowBytes(table_));
    code_.Byte(kI32Mul);
    Op(kLocalSet, Address());
  }

  // Falls through where no row has the arguments.
  void Search() {
    code_.Number(1);
    code_.Number(4);  // locals of one type
    code_.Byte(TypeCode(ValueType::kI32));
    Number(static_cast<uint32_t>(table_.rows()));
    Op(kLocalSet, High());
    Op(kBlock, kNoResult);
    Op(kLoop, kNoResult);
    Op(kLocalGet, Low());
    Op(kLocalGet, High());
    code_.Byte(kI32GeU);
    Op(kBrIf, 1);
    TakeMiddle();
    Op(kBlock, kNoResult);
    Op(kBlock, kNoResult);
    for (size_t i = 0; i < Params(); ++i) CompareLoaded(i);
    for (size_t i = Params(); i < table_.columns(); ++i) LoadResult(i);
    code_.Byte(kReturn);
    code_.Byte(kEnd);
    Op(kLocalGet, Middle());
    Op(kLocalSet, High());
    Op(kBr, 1);
    code_.Byte(kEnd);
    Op(kLocalGet, Middle());
    Number(1);
    code_.Byte(kI32Add);
    Op(kLocalSet, Low());
    Op(kBr, 0);
    code_.Byte(kEnd);
    code_.Byte(kEnd);
  }

  const LookupTable& table_;
  const std::vector<BoundValue>& otherwise_;
  const TablePlace place_;
  BinaryWriter code_;
};

Status Wrong(const std::string& import, const std::string& words) {
  return Status(Reason::kInvalidArgument, "The look-up of [" + import + "] " + words + ".",
                {{"field", "job.bindings"}, {"import", import}});
}

}  // namespace

Result<LookupTable> SortedTable(const LookupTable& table, const std::string& import) {
  if (table.rows() > kMostLookupRows || table.rows() * RowBytes(table) > kMostLookupBytes) {
    return Wrong(import, "has [" + std::to_string(table.rows()) + "] rows of [" +
                             std::to_string(RowBytes(table)) +
                             "] bytes; it may have [65536], and 4 MiB in all");
  }
  const size_t columns = table.columns(), params = table.type.params.size();
  const auto arguments = [&](size_t row) {
    const uint64_t* cells = table.cells.data() + row * columns;
    return std::span<const uint64_t>(cells, params);
  };
  const auto before = [&](size_t left, size_t right) {
    return std::ranges::lexicographical_compare(arguments(left), arguments(right));
  };
  std::vector<size_t> order(table.rows());
  std::iota(order.begin(), order.end(), size_t{0});
  std::stable_sort(order.begin(), order.end(), before);
  LookupTable sorted{table.type, {}};
  sorted.cells.reserve(table.cells.size());
  for (size_t i = 0; i < order.size(); ++i) {
    if (i > 0 && !before(order[i - 1], order[i])) {
      return Wrong(import, "has the same arguments in rows [" + std::to_string(order[i - 1] + 1) +
                               "] and [" + std::to_string(order[i] + 1) + "]; remove one");
    }
    const auto row = table.cells.begin() + static_cast<ptrdiff_t>(order[i] * columns);
    sorted.cells.insert(sorted.cells.end(), row, row + static_cast<ptrdiff_t>(columns));
  }
  return sorted;
}

bool IsInMemory(const LookupTable& table) { return table.rows() > kMostCompared; }

Bytes TableBytes(const LookupTable& table) {
  BinaryWriter bytes;
  for (size_t i = 0; i < table.cells.size(); ++i) {
    bytes.Fixed(table.cells[i], static_cast<int>(WidthOf(TypeOf(table.type, i % table.columns()))));
  }
  return bytes.Take();
}

Bytes LookupCode(const LookupTable& table, const std::vector<BoundValue>& otherwise,
                 const TablePlace& place) {
  return LookupWriter(table, otherwise, place).Run();
}

}  // namespace wb
