#include "deploy/reference/proto_page.h"

#include <google/protobuf/descriptor.h>
#include <google/protobuf/descriptor.pb.h>

#include <sstream>
#include <vector>

#include "client/cli/tree/markdown.h"

namespace wb {
namespace {

using cli::MarkdownCode;
using cli::MarkdownText;

namespace pb = google::protobuf;

// A comment's lines without the space behind their "//".
std::string Lines(const std::string& comment) {
  std::string out;
  std::istringstream lines(comment);
  for (std::string line; std::getline(lines, line);) {
    out += (line.starts_with(" ") ? line.substr(1) : line) + "\n";
  }
  while (out.ends_with("\n")) out.pop_back();
  return out;
}

// What stands before a declaration, and behind it in its line.
std::string Words(const pb::SourceLocation& location) {
  std::string before = Lines(location.leading_comments);
  const std::string behind = Lines(location.trailing_comments);
  if (!before.empty() && !behind.empty()) before += "\n";
  return before + behind;
}

template <typename Descriptor>
std::string CommentOf(const Descriptor& descriptor) {
  pb::SourceLocation location;
  return descriptor.GetSourceLocation(&location) ? Words(location) : "";
}

std::string CommentOfFile(const pb::FileDescriptor& file) {
  pb::SourceLocation location;
  const std::vector<int> syntax = {pb::FileDescriptorProto::kSyntaxFieldNumber};
  return file.GetSourceLocation(syntax, &location) ? Words(location) : "";
}

std::string Paragraph(const std::string& comment) {
  return comment.empty() ? "" : "\n" + MarkdownText(comment) + "\n";
}

// Of this API without its package; of others whole.
std::string ShortName(const std::string& full) {
  const std::string own = "wasmburst.v1.";
  return full.starts_with(own) ? full.substr(own.size()) : full;
}

std::string TypeOf(const pb::FieldDescriptor& field) {
  if (field.message_type() != nullptr) return ShortName(field.message_type()->full_name());
  if (field.enum_type() != nullptr) return ShortName(field.enum_type()->full_name());
  return field.type_name();
}

std::string FullTypeOf(const pb::FieldDescriptor& field) {
  if (field.is_map()) {
    const pb::Descriptor& entry = *field.message_type();
    return "map<" + TypeOf(*entry.field(0)) + ", " + TypeOf(*entry.field(1)) + ">";
  }
  const std::string rule = field.is_repeated()            ? "repeated "
                           : field.has_optional_keyword() ? "optional "
                                                          : "";
  return rule + TypeOf(field);
}

std::string FieldRow(const pb::FieldDescriptor& field) {
  std::string words = CommentOf(field);
  if (const pb::OneofDescriptor* one = field.real_containing_oneof()) {
    words = "one of `" + one->name() + "`" + (words.empty() ? "" : ": ") + words;
  }
  return "| " + MarkdownCode(field.name()) + " | " + std::to_string(field.number()) + " | " +
         MarkdownCode(FullTypeOf(field)) + " | " + MarkdownText(words) + " |\n";
}

std::string EnumPart(const pb::EnumDescriptor& kind) {
  std::string out = "\n### " + ShortName(kind.full_name()) + "\n" + Paragraph(CommentOf(kind)) +
                    "\n| value | number | what |\n| --- | --- | --- |\n";
  for (int i = 0; i < kind.value_count(); ++i) {
    const pb::EnumValueDescriptor& value = *kind.value(i);
    out += "| " + MarkdownCode(value.name()) + " | " + std::to_string(value.number()) + " | " +
           MarkdownText(CommentOf(value)) + " |\n";
  }
  return out;
}

std::string MessagePart(const pb::Descriptor& message) {
  if (message.options().map_entry()) return "";
  std::string out =
      "\n### " + ShortName(message.full_name()) + "\n" + Paragraph(CommentOf(message));
  if (message.field_count() > 0)
    out += "\n| field | number | type | what |\n| --- | --- | --- | --- |\n";
  for (int i = 0; i < message.field_count(); ++i) out += FieldRow(*message.field(i));
  for (int i = 0; i < message.nested_type_count(); ++i) out += MessagePart(*message.nested_type(i));
  for (int i = 0; i < message.enum_type_count(); ++i) out += EnumPart(*message.enum_type(i));
  return out;
}

std::string MethodPart(const pb::MethodDescriptor& method) {
  const auto type = [](bool streams, const pb::Descriptor& message) {
    return (streams ? "stream " : "") + ShortName(message.full_name());
  };
  const std::string call = method.name() + "(" +
                           type(method.client_streaming(), *method.input_type()) + ") returns (" +
                           type(method.server_streaming(), *method.output_type()) + ")";
  return "\n### " + method.service()->name() + "." + method.name() + "\n\n" + MarkdownCode(call) +
         "\n" + Paragraph(CommentOf(method));
}

}  // namespace

std::string ProtoPage(const pb::FileDescriptor& file) {
  std::string out = "# " + file.name() + "\n" + Paragraph(CommentOfFile(file));
  for (int i = 0; i < file.service_count(); ++i) {
    const pb::ServiceDescriptor& service = *file.service(i);
    out += "\n## Service " + service.full_name() + "\n" + Paragraph(CommentOf(service));
    for (int k = 0; k < service.method_count(); ++k) out += MethodPart(*service.method(k));
  }
  if (file.message_type_count() + file.enum_type_count() > 0) out += "\n## Messages\n";
  for (int i = 0; i < file.message_type_count(); ++i) out += MessagePart(*file.message_type(i));
  for (int i = 0; i < file.enum_type_count(); ++i) out += EnumPart(*file.enum_type(i));
  return out;
}

}  // namespace wb
