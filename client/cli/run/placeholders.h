#pragma once

// Texts with placeholders, as GNU parallel has them: {} the item, {.} without its extension, {/}
// its last part, {/.} that without its extension, {#} its number from 1 on; {NAME} a column of a
// row. Pure.

#include <cstdint>
#include <string>
#include <vector>

#include "client/cli/run/item_list.h"
#include "compiler/base/status.h"

namespace wb::cli {

// The forms, for --help.
extern const char* const kPlaceholderForms;

class Template {
 public:
  // Braces that hold no placeholder mean themselves; all do where `items` has no source.
  // INVALID_ARGUMENT for a name that no column of the rows has.
  static Result<Template> Parse(const std::string& text, const ItemList& items);

  bool varies() const { return varies_; }  // it holds a placeholder
  // For the item at this place of the list. What stands in a placeholder is put in as it is.
  std::string At(const ItemList& items, uint64_t place) const;
  const std::string& text() const { return text_; }
  // Whether its texts for different items differ whatever stands in them. False: they may be equal.
  bool DiffersAlways(const ItemList& items) const;

 private:
  enum class Kind : uint8_t {
    kText,
    kItem,
    kNoExtension,
    kLastPart,
    kLastPartNoExtension,
    kNumber,
    kColumn
  };
  struct Piece {
    Kind kind = Kind::kText;
    std::string text;   // kText
    size_t column = 0;  // kColumn
  };
  static Result<Piece> PieceOf(const std::string& inside, const ItemList& items);
  static std::string Filled(const Piece& piece, const ItemList& items, uint64_t place);

  std::string text_;
  std::vector<Piece> pieces_;
  bool varies_ = false;
};

}  // namespace wb::cli
