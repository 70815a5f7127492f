#include "client/cli/commands/flag_names.h"

#include <cctype>
#include <string_view>

namespace wb::cli {
namespace {

struct FlagName {
  std::string_view field;
  std::string_view flag;
};

constexpr FlagName kFlagNames[] = {
#define WB_FLAG(field, flag) {field, flag},
#include "client/cli/commands/flag_names.def"
#undef WB_FLAG
};

bool IsWord(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

// The field that stands at `at` as a whole word; null: none.
const FlagName* FieldAt(std::string_view text, size_t at) {
  if (at > 0 && IsWord(text[at - 1])) return nullptr;
  for (const FlagName& name : kFlagNames) {
    if (!text.substr(at).starts_with(name.field)) continue;
    const size_t end = at + name.field.size();
    if (end == text.size() || !IsWord(text[end])) return &name;
  }
  return nullptr;
}

// Takes words back from the end.
void TakeBack(std::string_view words, std::string* text) {
  if (text->ends_with(words)) text->resize(text->size() - words.size());
}

}  // namespace

std::string WithFlagNames(const std::string& text) {
  constexpr std::string_view kField = "The field [";
  std::string out;
  for (size_t at = 0; at < text.size();) {
    const FlagName* name = FieldAt(text, at);
    if (name == nullptr) {
      out += text[at++];
      continue;
    }
    TakeBack("job.", &out);
    if (out.ends_with(kField)) {
      TakeBack(kField, &out);
      out += "The flag [";
    }
    out += name->flag;
    at += name->field.size();
  }
  return out;
}

}  // namespace wb::cli
