#pragma once

// Names that answers gave, so that later requests of the same input can name them. A text field
// "@j0" stands for the first job's name; other letters: m module, i input, c cursor or another
// token to read on with, t token. Pure.

#include <google/protobuf/message.h>

#include <map>
#include <string>
#include <vector>

namespace wb {

class NameBook {
 public:
  void Note(char letter, const std::string& name);
  // Whatever texts of a message are names, or tokens to read on with.
  void NoteAll(const google::protobuf::Message& answer);
  // Puts names in the place of texts that stand for them; others stay.
  void Fill(google::protobuf::Message* request) const;

 private:
  std::string Meaning(const std::string& text) const;
  void NoteText(const std::string& field, const std::string& text);

  std::map<char, std::vector<std::string>> names_;
};

}  // namespace wb
