#include "tests/daemon/fuzz/name_book.h"

#include <algorithm>
#include <functional>

namespace wb {
namespace {

using google::protobuf::FieldDescriptor;
using google::protobuf::Message;
using google::protobuf::Reflection;

constexpr size_t kMostNames = 10;  // of a letter: "@j0" to "@j9"

bool IsText(const FieldDescriptor& field) { return field.type() == FieldDescriptor::TYPE_STRING; }

std::vector<const FieldDescriptor*> FieldsOf(const Message& message) {
  std::vector<const FieldDescriptor*> fields;
  message.GetReflection()->ListFields(message, &fields);
  return fields;
}

}  // namespace

void NameBook::Note(char letter, const std::string& name) {
  std::vector<std::string>& names = names_[letter];
  const bool is_known = std::find(names.begin(), names.end(), name) != names.end();
  if (!is_known && names.size() < kMostNames) names.push_back(name);
}

void NameBook::NoteText(const std::string& field, const std::string& text) {
  if (field == "cursor" || field == "resume_token" || field == "next_page_token") Note('c', text);
  if (field != "name") return;
  for (const auto& [start, letter] : std::map<std::string, char>{{"jobs/", 'j'},
                                                                 {"modules/", 'm'},
                                                                 {"inputs/", 'i'},
                                                                 {"tokens/", 't'},
                                                                 {"sessions/", 's'}}) {
    if (text.starts_with(start)) Note(letter, text);
  }
}

void NameBook::NoteAll(const Message& answer) {
  const Reflection& reflection = *answer.GetReflection();
  for (const FieldDescriptor* field : FieldsOf(answer)) {
    if (field->is_repeated()) continue;
    if (IsText(*field)) NoteText(field->name(), reflection.GetString(answer, field));
    if (field->message_type() != nullptr) NoteAll(reflection.GetMessage(answer, field));
  }
}

std::string NameBook::Meaning(const std::string& text) const {
  if (text.size() != 3 || text[0] != '@') return text;
  const auto names = names_.find(text[1]);
  const size_t place = static_cast<size_t>(text[2] - '0');
  if (names == names_.end() || place >= names->second.size()) return text;
  return names->second[place];
}

void NameBook::Fill(Message* request) const {
  const Reflection& reflection = *request->GetReflection();
  for (const FieldDescriptor* field : FieldsOf(*request)) {
    const int count = field->is_repeated() ? reflection.FieldSize(*request, field) : 0;
    if (IsText(*field) && !field->is_repeated()) {
      reflection.SetString(request, field, Meaning(reflection.GetString(*request, field)));
    }
    if (field->message_type() == nullptr) continue;
    if (!field->is_repeated()) Fill(reflection.MutableMessage(request, field));
    for (int i = 0; i < count; ++i) Fill(reflection.MutableRepeatedMessage(request, field, i));
  }
}

}  // namespace wb
