#include "client/cli/run/placeholders.h"

#include <cctype>
#include <utility>

namespace wb::cli {

const char* const kPlaceholderForms =
    "{}      the item: a file's path, a line, the first field of a row\n"
    "{.}     the same without its extension\n"
    "{/}     its last part; {/.} without the extension\n"
    "{#}     its number, from 1 on\n"
    "{NAME}  the field of a row";

namespace {

std::string WithoutExtension(const std::string& path) {
  const size_t dot = path.rfind('.');
  const size_t slash = path.rfind('/');
  const size_t name = slash == std::string::npos ? 0 : slash + 1;
  return dot == std::string::npos || dot <= name ? path : path.substr(0, dot);
}

std::string LastPart(const std::string& path) {
  const size_t slash = path.rfind('/');
  return slash == std::string::npos ? path : path.substr(slash + 1);
}

bool IsName(const std::string& text) {
  if (text.empty() || std::isdigit(static_cast<unsigned char>(text[0])) != 0) return false;
  for (const char c : text) {
    if (std::isalnum(static_cast<unsigned char>(c)) == 0 && c != '_' && c != '-') return false;
  }
  return true;
}

std::string Listed(const std::vector<std::string>& names) {
  std::string listed;
  for (const std::string& name : names) listed += (listed.empty() ? "[" : ", [") + name + "]";
  return listed;
}

}  // namespace

Result<Template::Piece> Template::PieceOf(const std::string& inside, const ItemList& items) {
  if (inside.empty()) return Piece{Kind::kItem, "", 0};
  if (inside == ".") return Piece{Kind::kNoExtension, "", 0};
  if (inside == "/") return Piece{Kind::kLastPart, "", 0};
  if (inside == "/.") return Piece{Kind::kLastPartNoExtension, "", 0};
  if (inside == "#") return Piece{Kind::kNumber, "", 0};
  if (const std::optional<size_t> column = items.ColumnNamed(inside)) {
    return Piece{Kind::kColumn, "", *column};
  }
  if (items.names.empty() || !IsName(inside)) return Piece{Kind::kText, "{" + inside + "}", 0};
  return Status(Reason::kInvalidArgument,
                "There is no column [" + inside + "]; the rows have " + Listed(items.names) + ".",
                {{"column", inside}});
}

Result<Template> Template::Parse(const std::string& text, const ItemList& items) {
  Template parsed;
  parsed.text_ = text;
  for (size_t at = 0; at < text.size();) {
    const size_t open = items.has_source ? text.find('{', at) : std::string::npos;
    const size_t close = open == std::string::npos ? open : text.find_first_of("{}", open + 1);
    if (close == std::string::npos) {
      parsed.pieces_.push_back({Kind::kText, text.substr(at), 0});
      break;
    }
    // Of "{{x}" the second brace may begin a placeholder.
    const size_t first = text[close] == '{' ? close : open;
    if (first > at) parsed.pieces_.push_back({Kind::kText, text.substr(at, first - at), 0});
    at = first;
    if (first == close) continue;
    WB_ASSIGN(Piece piece, PieceOf(text.substr(open + 1, close - open - 1), items));
    parsed.varies_ = parsed.varies_ || piece.kind != Kind::kText;
    parsed.pieces_.push_back(std::move(piece));
    at = close + 1;
  }
  return parsed;
}

std::string Template::Filled(const Piece& piece, const ItemList& items, uint64_t place) {
  const std::string& item = items.texts[place];
  switch (piece.kind) {
    case Kind::kText: return piece.text;
    case Kind::kItem: return item;
    case Kind::kNoExtension: return WithoutExtension(item);
    case Kind::kLastPart: return LastPart(item);
    case Kind::kLastPartNoExtension: return WithoutExtension(LastPart(item));
    case Kind::kNumber: return std::to_string(items.numbers[place] + 1);
    case Kind::kColumn: return items.columns[piece.column][place];
  }
  return "";
}

std::string Template::At(const ItemList& items, uint64_t place) const {
  std::string text;
  for (const Piece& piece : pieces_) text += Filled(piece, items, place);
  return text;
}

bool Template::DiffersAlways(const ItemList& items) const {
  int varying = 0, differing = 0;
  for (const Piece& piece : pieces_) {
    if (piece.kind == Kind::kText) continue;
    ++varying;
    const bool differs = piece.kind == Kind::kNumber || (piece.kind == Kind::kItem && items.differ);
    if (differs) ++differing;
  }
  return varying == 1 && differing == 1;
}

}  // namespace wb::cli
