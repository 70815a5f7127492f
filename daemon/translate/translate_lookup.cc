#include "daemon/translate/translate_lookup.h"

#include "daemon/translate/translate_value.h"

namespace wb {
namespace {

namespace v1 = wasmburst::v1;

constexpr int kMostLookupColumns = 1000;

// Adds the cells of one row, and their types.
template <typename Values>
Status AddCells(const Values& values, const std::string& field, std::vector<uint64_t>* cells,
                std::vector<ValueType>* types) {
  if (values.size() > kMostLookupColumns) return FieldError(field, "has more than 1,000 values");
  for (int i = 0; i < values.size(); ++i) {
    const std::string at = field + "[" + std::to_string(i) + "]";
    WB_ASSIGN(const Value value, ValueFromProto(values.Get(i), at));
    if (value.type == ValueType::kV128) return FieldError(at, "is a v128; only numbers are bound");
    cells->push_back(value.bits());
    types->push_back(value.type);
  }
  return {};
}

}  // namespace

Result<LookupTable> TableFromProto(const v1::Binding::Lookup& proto, const std::string& field) {
  if (proto.rows().empty()) return FieldError(field + ".rows", "needs a row");
  if (static_cast<size_t>(proto.rows_size()) > kMostLookupRows) {
    return FieldError(field + ".rows", "has more than 65,536 rows");
  }
  LookupTable table;
  for (int i = 0; i < proto.rows_size(); ++i) {
    const std::string at = field + ".rows[" + std::to_string(i) + "]";
    FunctionType type;
    WB_TRY(AddCells(proto.rows(i).args(), at + ".args", &table.cells, &type.params));
    WB_TRY(AddCells(proto.rows(i).results(), at + ".results", &table.cells, &type.results));
    if (i == 0) table.type = type;
    if (type == table.type) continue;
    return FieldError(
        at, "is " + type.ToString() + ", where the first row is " + table.type.ToString());
  }
  return table;
}

}  // namespace wb
