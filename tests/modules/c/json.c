// A recursive-descent JSON parser that builds a tree, and a printer that walks it.
#include "guest.h"

typedef enum { kNull, kFalse, kTrue, kNumber, kText, kArray, kObject } Kind;
typedef struct Value {
  Kind kind;
  int64_t number;       // kNumber: thousandths
  uint32_t from, to;    // kText: of the input
  struct Value* first;  // kArray, kObject: children; an object's are name, value, name ...
  struct Value* next;
} Value;

enum { kValues = 2048 };
static Value values[kValues];
static uint32_t value_count;
static uint8_t text[kInputBytes];
static uint32_t at, size, failed;

EXPORT(input) uint8_t* input(void) { return text; }

static uint32_t peek(void) { return at < size ? text[at] : 0; }
static void skip_space(void) {
  while (peek() == ' ' || peek() == '\n' || peek() == '\t') ++at;
}
static uint32_t accept(uint32_t c) {
  skip_space();
  if (peek() != c) return 0;
  ++at;
  return 1;
}
static Value* fail(void) {
  if (failed == 0) failed = at + 1;
  return NULL;
}
static Value* make(Kind kind) {
  if (value_count == kValues) return fail();
  Value* value = &values[value_count++];
  value->kind = kind;
  return value;
}

static Value* parse_value(void);

static Value* parse_word(const char* word, Kind kind) {
  for (; *word != 0; ++word, ++at) {
    if (peek() != (uint8_t)*word) return fail();
  }
  return make(kind);
}

static Value* parse_number(void) {
  int64_t sign = 1, whole = 0, part = 0;
  uint32_t digits = 0;
  if (peek() == '-') ++at, sign = -1;
  if (peek() < '0' || peek() > '9') return fail();
  for (; peek() >= '0' && peek() <= '9'; ++at) whole = whole * 10 + peek() - '0';
  if (peek() == '.') {
    for (++at; peek() >= '0' && peek() <= '9'; ++at, ++digits) {
      if (digits < 3) part = part * 10 + peek() - '0';
    }
    for (; digits < 3; ++digits) part *= 10;
  }
  Value* value = make(kNumber);
  if (value != NULL) value->number = sign * (whole * 1000 + part);
  return value;
}

static Value* parse_text(void) {
  ++at;
  Value* value = make(kText);
  if (value == NULL) return NULL;
  value->from = at;
  for (; peek() != '"'; ++at) {
    if (peek() == '\\') ++at;
    if (at >= size) return fail();
  }
  value->to = at++;
  return value;
}

static Value* parse_list(Kind kind, uint32_t end) {
  ++at;
  Value* list = make(kind);
  if (list == NULL || accept(end)) return list;
  Value** tail = &list->first;
  do {
    if (kind == kObject) {
      skip_space();
      Value* name = peek() == '"' ? parse_text() : fail();
      if (name == NULL || !accept(':')) return fail();
      *tail = name;
      tail = &name->next;
    }
    Value* child = parse_value();
    if (child == NULL) return NULL;
    *tail = child;
    tail = &child->next;
  } while (accept(','));
  return accept(end) ? list : fail();
}

static Value* parse_value(void) {
  skip_space();
  switch (peek()) {
    case 'n': return parse_word("null", kNull);
    case 'f': return parse_word("false", kFalse);
    case 't': return parse_word("true", kTrue);
    case '"': return parse_text();
    case '[': return parse_list(kArray, ']');
    case '{': return parse_list(kObject, '}');
    default: return parse_number();
  }
}

static void print(const Value* value) {
  switch (value->kind) {
    case kNull: out_text("null"); return;
    case kFalse: out_text("false"); return;
    case kTrue: out_text("true"); return;
    case kNumber: out_decimal(value->number); return;
    case kText:
      out_byte('"');
      for (uint32_t i = value->from; i < value->to; ++i) out_byte(text[i]);
      out_byte('"');
      return;
    case kArray:
    case kObject: break;
  }
  out_byte(value->kind == kArray ? '[' : '{');
  uint32_t odd = 0;
  for (const Value* child = value->first; child != NULL; child = child->next, odd ^= 1) {
    if (child != value->first) out_byte(value->kind == kObject && odd ? ':' : ',');
    print(child);
  }
  out_byte(value->kind == kArray ? ']' : '}');
}

EXPORT(run) uint32_t run(uint32_t length) {
  size = length < kInputBytes ? length : kInputBytes;
  const Value* value = parse_value();
  skip_space();
  if (value == NULL || at != size) {
    out_text("error ");
    out_decimal(failed);
  } else {
    print(value);
  }
  return guest_output_size;
}
