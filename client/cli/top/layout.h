#pragma once

// Rows as lines of a screen: which columns fit, and what is cut. Pure. A character is one column
// wide, whatever its bytes: what is printed here is ASCII, bars, and names that daemons give.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace wb::cli {

// What a piece of text is; the terminal decides how that looks.
enum class Tone : uint8_t { kPlain, kDim, kTitle, kHeader, kSelected, kGood, kWarn, kBad };

struct TopSpan {
  std::string text;
  Tone tone = Tone::kPlain;
};
using TopLine = std::vector<TopSpan>;

struct ViewColumn {
  std::string_view name;
  int rank;  // columns of higher ranks are left out first where there is no room; 0 stays
  bool right = false;
};

struct ViewCell {
  std::string text;
  double number = 0;  // what the column is sorted by, where `sorts_by_number`
  bool sorts_by_number = false;
};
ViewCell NumberCell(std::string text, double number);

struct ViewRow {
  std::string name;  // of the thing, by which it stays selected
  std::vector<ViewCell> cells;
  Tone tone = Tone::kPlain;
};

struct ViewTable {
  std::vector<ViewColumn> columns;
  std::vector<ViewRow> rows;
};

// Of UTF-8, in characters.
size_t TextWidth(std::string_view text);
// At most `width` characters; what is cut ends in "~".
std::string Cut(std::string_view text, size_t width);
// Exactly `width` characters.
std::string Fitted(std::string_view text, size_t width, bool right);
// In lines of at most `width` characters, broken at blanks where there are any.
std::vector<std::string> Wrapped(std::string_view text, size_t width);

// Which columns are shown, and how wide: ascending indices. The last of all takes what is left,
// also where its texts are longer.
struct ShownColumn {
  size_t index;
  size_t width;
};
std::vector<ShownColumn> FitColumns(const ViewTable& table, size_t width);

// Sorts by a column; equal rows stay in their order.
void SortRows(ViewTable* table, size_t column, bool descending);
// Rows with a cell that contains the text, in small or capital letters.
void FilterRows(ViewTable* table, const std::string& text);

std::string HeaderText(const ViewTable& table, const std::vector<ShownColumn>& shown,
                       size_t sorted_by, bool descending);
std::string RowText(const ViewRow& row, const ViewTable& table,
                    const std::vector<ShownColumn>& shown);

}  // namespace wb::cli
