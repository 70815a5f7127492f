// A backtracking matcher: literals . ^ $ [a-z] [^a-z] ( | ) * + ? by recursive descent over the
// pattern, with the rest of the match as a function pointer and its argument.
#include "guest.h"

enum { kPattern = 64, kSteps = 20000 };
static uint8_t text[kInputBytes];  // pattern, 0, subject
static const uint8_t* subject;
static const uint8_t* subject_end;
static uint32_t steps;

EXPORT(input) uint8_t* input(void) { return text; }

typedef struct Rest {
  int (*go)(const struct Rest*, const uint8_t*);
  const uint8_t* pattern;  // continues here, up to ...
  const uint8_t* end;
  const struct Rest* after;
  const uint8_t* from;  // of a repetition: where its last round began
} Rest;

static int match_branches(const uint8_t* p, const uint8_t* end, const uint8_t* s, const Rest* rest);
static int match_here(const uint8_t* p, const uint8_t* end, const uint8_t* s, const Rest* rest);

static int at_end(const Rest* rest, const uint8_t* s) {
  (void)rest;
  subject_end = s;
  return 1;
}
static int go_on(const Rest* rest, const uint8_t* s) {
  return match_here(rest->pattern, rest->end, s, rest->after);
}

// One past an atom: a character, a class or a group.
static const uint8_t* atom_end(const uint8_t* p, const uint8_t* end) {
  if (*p == '[') {
    for (++p; p < end && *p != ']'; ++p) {
    }
    return p < end ? p + 1 : end;
  }
  if (*p != '(') return p + 1;
  int depth = 0;
  for (; p < end; ++p) {
    if (*p == '(') ++depth;
    if (*p == ')' && --depth == 0) return p + 1;
  }
  return end;
}

static int in_class(const uint8_t* p, uint32_t c) {
  int negated = p[1] == '^', found = 0;
  for (p += 1 + negated; *p != ']' && *p != 0; ++p) {
    if (p[1] == '-' && p[2] != ']') {
      found |= c >= p[0] && c <= p[2];
      p += 2;
    } else {
      found |= c == *p;
    }
  }
  return found != negated;
}

static int match_atom(const uint8_t* p, const uint8_t* end, const uint8_t* s, const Rest* rest) {
  if (*p == '(') return match_branches(p + 1, end - 1, s, rest);
  if (*s == 0) return 0;
  int same = *p == '[' ? in_class(p, *s) : *p == '.' || *p == *s;
  return same && rest->go(rest, s + 1);
}

// x*: once more unless the last round matched nothing, else what follows.
static int match_star(const Rest* again, const uint8_t* s) {
  if (++steps > kSteps) return 0;
  const uint8_t* end = atom_end(again->pattern, again->end);
  Rest next = *again;
  next.from = s;
  if (s != again->from && match_atom(again->pattern, end, s, &next)) return 1;
  return match_here(end + 1, again->end, s, again->after);
}

static int match_here(const uint8_t* p, const uint8_t* end, const uint8_t* s, const Rest* rest) {
  if (++steps > kSteps) return 0;
  if (p >= end) return rest->go(rest, s);
  if (*p == '^') return s == subject && match_here(p + 1, end, s, rest);
  if (*p == '$') return *s == 0 && match_here(p + 1, end, s, rest);
  const uint8_t* after = atom_end(p, end);
  uint32_t repeat = after < end ? *after : 0;
  Rest next = {go_on, after, end, rest, NULL};
  if (repeat == '*' || repeat == '+') {
    Rest again = {match_star, p, end, rest, NULL};
    return repeat == '*' ? match_star(&again, s) : match_atom(p, after, s, &again);
  }
  if (repeat != '?') return match_atom(p, after, s, &next);
  next.pattern = after + 1;
  return match_atom(p, after, s, &next) || match_here(after + 1, end, s, rest);
}

static int match_branches(const uint8_t* p, const uint8_t* end, const uint8_t* s,
                          const Rest* rest) {
  int depth = 0;
  for (const uint8_t* from = p;; ++p) {
    if (p < end && *p == '(') ++depth;
    if (p < end && *p == ')') --depth;
    if (p < end && (*p != '|' || depth > 0)) continue;
    if (match_here(from, p, s, rest)) return 1;
    if (p >= end) return 0;
    from = p + 1;
  }
}

// Every match from left to right, not overlapping; the count of matches is returned.
EXPORT(run) uint32_t run(uint32_t length) {
  text[length < kInputBytes ? length : kInputBytes - 1] = 0;
  const uint8_t* end = text;
  while (*end != 0) ++end;
  subject = end + 1;
  const Rest last = {at_end, NULL, NULL, NULL, NULL};
  uint32_t found = 0;
  for (const uint8_t* s = subject;; ++s) {
    steps = 0;
    if (match_branches(text, end, s, &last)) {
      ++found;
      out_u32((uint32_t)(s - subject));
      out_u32((uint32_t)(subject_end - s));
      if (subject_end > s) s = subject_end - 1;
    }
    if (*s == 0) break;
  }
  return found;
}

EXPORT(output_size) uint32_t output_size(void) { return guest_output_size; }
