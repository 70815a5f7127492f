// Reads a text of C or C++ from standard input and counts its tokens by kind, comments as one each.
// Prints the counts in the order of `Kind`, then lines and bytes.
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef enum {
  kName,
  kKeyword,
  kNumber,
  kText,
  kCharacter,
  kOperator,
  kDirective,
  kComment,
  kKinds
} Kind;

static const char* const kKeywords[] = {"alignas",
                                        "alignof",
                                        "asm",
                                        "auto",
                                        "bool",
                                        "break",
                                        "case",
                                        "catch",
                                        "char",
                                        "class",
                                        "concept",
                                        "const",
                                        "const_cast",
                                        "consteval",
                                        "constexpr",
                                        "constinit",
                                        "continue",
                                        "co_await",
                                        "co_return",
                                        "co_yield",
                                        "decltype",
                                        "default",
                                        "delete",
                                        "do",
                                        "double",
                                        "dynamic_cast",
                                        "else",
                                        "enum",
                                        "explicit",
                                        "export",
                                        "extern",
                                        "false",
                                        "float",
                                        "for",
                                        "friend",
                                        "goto",
                                        "if",
                                        "inline",
                                        "int",
                                        "long",
                                        "mutable",
                                        "namespace",
                                        "new",
                                        "noexcept",
                                        "nullptr",
                                        "operator",
                                        "private",
                                        "protected",
                                        "public",
                                        "register",
                                        "reinterpret_cast",
                                        "requires",
                                        "return",
                                        "short",
                                        "signed",
                                        "sizeof",
                                        "static",
                                        "static_assert",
                                        "static_cast",
                                        "struct",
                                        "switch",
                                        "template",
                                        "this",
                                        "thread_local",
                                        "throw",
                                        "true",
                                        "try",
                                        "typedef",
                                        "typeid",
                                        "typename",
                                        "union",
                                        "unsigned",
                                        "using",
                                        "virtual",
                                        "void",
                                        "volatile",
                                        "while"};
// Longest first.
static const char* const kOperators[] = {"<<=", ">>=", "...", "<=>", "->*", "::", "->", "++", "--",
                                         "<<",  ">>",  "<=",  ">=",  "==",  "!=", "&&", "||", "+=",
                                         "-=",  "*=",  "/=",  "%=",  "&=",  "|=", "^=", ".*", "##"};

static char* text;
static size_t size, at;

static int Look(size_t ahead) { return at + ahead < size ? (unsigned char)text[at + ahead] : 0; }
static int IsName(int c) { return isalnum(c) || c == '_' || c == '$'; }

static void ReadAll(void) {
  size_t room = 1 << 16;
  text = malloc(room);
  for (size_t got; text != NULL && (got = fread(text + size, 1, room - size, stdin)) > 0;) {
    size += got;
    if (size == room) text = realloc(text, room *= 2);
  }
  if (text == NULL) exit(3);
}

// The rest of a line, and of lines that it is continued by.
static void SkipLine(void) {
  while (at < size && text[at] != '\n') at += text[at] == '\\' && at + 1 < size ? 2 : 1;
}
static void SkipComment(void) {
  for (at += 2; at < size && !(text[at] == '*' && Look(1) == '/');) ++at;
  at += 2;
}
static void SkipQuoted(char quote) {
  for (++at; at < size && text[at] != quote && text[at] != '\n';) at += text[at] == '\\' ? 2 : 1;
  ++at;
}
// From the quote of R"end( on, to )end".
static void SkipRaw(void) {
  const size_t begin = ++at;
  while (at < size && text[at] != '(') ++at;
  const size_t bytes = at - begin;
  for (; at < size; ++at) {
    const int ends =
        text[at] == ')' && at + 1 + bytes < size && memcmp(text + at + 1, text + begin, bytes) == 0;
    if (ends && text[at + 1 + bytes] == '"') break;
  }
  at += bytes + 2;
}
static void SkipNumber(void) {
  for (++at; at < size; ++at) {
    const int c = text[at], before = text[at - 1];
    const int is_sign = (c == '+' || c == '-') && strchr("eEpP", before) != NULL;
    if (!IsName(c) && c != '.' && c != '\'' && !is_sign) return;
  }
}
// A name, a keyword, or what stands before a quote and belongs to it.
static Kind TakeName(void) {
  const size_t begin = at;
  while (at < size && IsName((unsigned char)text[at])) ++at;
  const size_t bytes = at - begin;
  const int is_prefix = bytes <= 3 && strchr("uUL8R", text[begin]) != NULL;
  if (is_prefix && Look(0) == '"' && text[at - 1] == 'R') return SkipRaw(), kText;
  if (is_prefix && Look(0) == '"' && strchr("uUL8", text[at - 1]) != NULL)
    return SkipQuoted('"'), kText;
  for (size_t i = 0; i < sizeof kKeywords / sizeof *kKeywords; ++i) {
    const char* word = kKeywords[i];
    if (*word == text[begin] && strlen(word) == bytes && memcmp(word, text + begin, bytes) == 0)
      return kKeyword;
  }
  return kName;
}
static void SkipOperator(void) {
  for (size_t i = 0; i < sizeof kOperators / sizeof *kOperators; ++i) {
    const size_t bytes = strlen(kOperators[i]);
    if (at + bytes > size || memcmp(kOperators[i], text + at, bytes) != 0) continue;
    at += bytes;
    return;
  }
  ++at;
}

// The token that begins here, which is no space.
static Kind Take(int begins_line) {
  const int c = Look(0);
  if (c == '/' && Look(1) == '/') return SkipLine(), kComment;
  if (c == '/' && Look(1) == '*') return SkipComment(), kComment;
  if (c == '#' && begins_line) return SkipLine(), kDirective;
  if (isdigit(c) || (c == '.' && isdigit(Look(1)))) return SkipNumber(), kNumber;
  if (IsName(c)) return TakeName();
  if (c == '"') return SkipQuoted('"'), kText;
  if (c == '\'') return SkipQuoted('\''), kCharacter;
  return SkipOperator(), kOperator;
}

int main(void) {
  long counts[kKinds] = {0}, lines = 0;
  ReadAll();
  for (int begins_line = 1; at < size;) {
    const int c = (unsigned char)text[at];
    if (isspace(c) || (c == '\\' && Look(1) == '\n')) {
      begins_line |= c == '\n';
      ++at;
      continue;
    }
    const Kind kind = Take(begins_line);
    ++counts[kind];
    begins_line = begins_line && kind == kComment;
  }
  for (size_t i = 0; i < size; ++i) lines += text[i] == '\n';
  for (int kind = 0; kind < kKinds; ++kind) printf("%ld ", counts[kind]);
  printf("%ld %zu\n", lines, size);
  return 0;
}
