#include "client/cli/top/layout.h"

#include <algorithm>
#include <cctype>

namespace wb::cli {
namespace {

constexpr size_t kGap = 2;         // between columns
constexpr size_t kLeastLast = 16;  // what the last column may be cut to

bool BeginsCharacter(char byte) { return (static_cast<uint8_t>(byte) & 0xc0) != 0x80; }

// Where the character with this number begins, or the end.
size_t OffsetOf(std::string_view text, size_t character) {
  size_t seen = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    if (BeginsCharacter(text[i]) && seen++ == character) return i;
  }
  return text.size();
}

std::string SmallLetters(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

size_t WidestCell(const ViewTable& table, size_t column) {
  size_t widest = table.columns[column].name.size() + 1;  // and the arrow of the sorted one
  for (const ViewRow& row : table.rows)
    widest = std::max(widest, TextWidth(row.cells[column].text));
  return widest;
}

}  // namespace

ViewCell NumberCell(std::string text, double number) { return {std::move(text), number, true}; }

size_t TextWidth(std::string_view text) {
  return static_cast<size_t>(std::count_if(text.begin(), text.end(), BeginsCharacter));
}

std::string Cut(std::string_view text, size_t width) {
  if (TextWidth(text) <= width) return std::string(text);
  if (width == 0) return "";
  return std::string(text.substr(0, OffsetOf(text, width - 1))) + "~";
}

std::string Fitted(std::string_view text, size_t width, bool right) {
  const std::string cut = Cut(text, width);
  const std::string blanks(width - TextWidth(cut), ' ');
  return right ? blanks + cut : cut + blanks;
}

std::vector<std::string> Wrapped(std::string_view text, size_t width) {
  std::vector<std::string> lines;
  width = std::max<size_t>(width, 1);
  while (TextWidth(text) > width) {
    size_t end = OffsetOf(text, width);
    const size_t blank = text.rfind(' ', end);
    const bool breaks = blank != std::string_view::npos && blank > 0;
    if (breaks) end = blank;
    lines.emplace_back(text.substr(0, end));
    text.remove_prefix(breaks ? end + 1 : end);
  }
  lines.emplace_back(text);
  return lines;
}

std::vector<ShownColumn> FitColumns(const ViewTable& table, size_t width) {
  std::vector<ShownColumn> shown;
  for (size_t i = 0; i < table.columns.size(); ++i) shown.push_back({i, WidestCell(table, i)});
  if (!shown.empty()) shown.back().width = std::min(shown.back().width, kLeastLast);
  const auto needed = [&shown] {
    size_t sum = 0;
    for (const ShownColumn& column : shown) sum += column.width + kGap;
    return sum == 0 ? 0 : sum - kGap;
  };
  while (needed() > width) {
    const auto worst =
        std::max_element(shown.begin(), shown.end(), [&](const auto& a, const auto& b) {
          return table.columns[a.index].rank < table.columns[b.index].rank;
        });
    if (worst == shown.end() || table.columns[worst->index].rank == 0) break;
    shown.erase(worst);
  }
  if (shown.empty()) return shown;
  const size_t before = needed() - shown.back().width;
  shown.back().width = width > before ? width - before : 0;
  return shown;
}

void SortRows(ViewTable* table, size_t column, bool descending) {
  if (column >= table->columns.size()) return;
  const auto less = [column](const ViewRow& a, const ViewRow& b) {
    const ViewCell& one = a.cells[column];
    const ViewCell& other = b.cells[column];
    return one.sorts_by_number ? one.number < other.number : one.text < other.text;
  };
  std::stable_sort(table->rows.begin(), table->rows.end(), [&](const ViewRow& a, const ViewRow& b) {
    return descending ? less(b, a) : less(a, b);
  });
}

void FilterRows(ViewTable* table, const std::string& text) {
  if (text.empty()) return;
  const std::string wanted = SmallLetters(text);
  std::erase_if(table->rows, [&wanted](const ViewRow& row) {
    return std::none_of(row.cells.begin(), row.cells.end(), [&wanted](const ViewCell& cell) {
      return SmallLetters(cell.text).find(wanted) != std::string::npos;
    });
  });
}

std::string HeaderText(const ViewTable& table, const std::vector<ShownColumn>& shown,
                       size_t sorted_by, bool descending) {
  std::string text;
  for (const ShownColumn& column : shown) {
    const ViewColumn& about = table.columns[column.index];
    const std::string arrow = column.index != sorted_by ? "" : descending ? "v" : "^";
    if (!text.empty()) text += std::string(kGap, ' ');
    text += Fitted(std::string(about.name) + arrow, column.width, about.right);
  }
  return text;
}

std::string RowText(const ViewRow& row, const ViewTable& table,
                    const std::vector<ShownColumn>& shown) {
  std::string text;
  for (const ShownColumn& column : shown) {
    if (!text.empty()) text += std::string(kGap, ' ');
    text += Fitted(row.cells[column.index].text, column.width, table.columns[column.index].right);
  }
  return text;
}

}  // namespace wb::cli
