// How many guesses a password takes of somebody who knows how people choose them: pieces that are
// words, dates, rows of keys, runs and repetitions are guessed as such, the rest a character at a
// time. The cheapest way to cut it wins. Prints its bits, in sixteenths, and the pieces of that
// cut: kind and length.
#include <ctype.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { kMost = 64, kBit = 16 };  // characters; a bit's sixteenths

typedef enum { kOther, kWord, kYear, kRun, kRepeat, kKeys } Kind;
static const char* const kNames[] = {"other", "word", "year", "run", "repeat", "keys"};

// As people choose them, the most usual first.
static const char* const kWords[] = {
    "password", "welcome",  "dragon",   "monkey",  "summer",   "winter",   "spring",  "autumn",
    "football", "sunshine", "princess", "master",  "shadow",   "secret",   "flower",  "letmein",
    "admin",    "love",     "hello",    "freedom", "computer", "internet", "orange",  "banana",
    "coffee",   "cheese",   "cookie",   "butter",  "silver",   "golden",   "purple",  "yellow",
    "green",    "black",    "white",    "tiger",   "eagle",    "horse",    "house",   "garden",
    "river",    "mountain", "island",   "ocean",   "thunder",  "rocket",   "planet",  "guitar",
    "piano",    "violin",   "soccer",   "hockey",  "tennis",   "monday",   "friday",  "sunday",
    "january",  "august",   "london",   "berlin",  "paris",    "madrid",   "vienna",  "maria",
    "peter",    "anna",     "thomas",   "michael", "jessica",  "daniel",   "window",  "table",
    "chair",    "pencil",   "paper",    "bottle",  "candle",   "mirror",   "basket",  "button",
    "hammer",   "ladder",   "anchor",   "bridge",  "castle",   "forest",   "desert",  "valley",
    "meadow",   "harbor",   "market",   "museum",  "theater",  "school",   "doctor",  "teacher",
    "lawyer",   "farmer",   "singer",   "dancer",  "writer",   "painter",  "correct", "battery",
    "staple",   "copper"};
static const char* const kRows[] = {"qwertyuiop", "asdfghjkl", "zxcvbnm", "1234567890"};

// 16 times the logarithm of n to base 2, to a sixteenth: without a library, so that it is the same
// everywhere.
static uint32_t Bits(uint64_t n) {
  uint32_t whole = 0, part = 0;
  while (n >> whole > 1) ++whole;
  uint64_t square = whole > 31 ? n >> (whole - 31) : n << (31 - whole);  // 1 to 2, as 2^31 to 2^32
  for (int i = 0; i < 4; ++i) {
    square = square * square >> 31;
    part = 2 * part + (square >> 32 != 0);
    square >>= square >> 32 != 0;
  }
  return whole * kBit + part;
}

static char Plain(char c) {
  static const char leet[] = "4a@a3e1i!i0o$s5s7t";
  for (size_t i = 0; i + 1 < sizeof leet; i += 2) {
    if (c == leet[i]) return leet[i + 1];
  }
  return (char)tolower((unsigned char)c);
}

// What a piece costs as one of a kind; 0: it is none.
static uint32_t AsWord(const char* text, size_t length) {
  uint32_t capitals = 0, changed = 0;
  for (size_t i = 0; i < length; ++i) {
    capitals += isupper((unsigned char)text[i]) != 0;
    changed += !isalpha((unsigned char)text[i]);
  }
  for (size_t w = 0; w < sizeof kWords / sizeof *kWords; ++w) {
    if (strlen(kWords[w]) != length) continue;
    size_t i = 0;
    while (i < length && Plain(text[i]) == kWords[w][i]) ++i;
    if (i < length) continue;
    const int usual =
        capitals == 0 || (capitals == 1 && isupper((unsigned char)text[0])) || capitals == length;
    return Bits(w + 4) + (capitals > 0 ? (usual ? kBit : capitals * 2 * kBit) : 0) + changed * kBit;
  }
  return 0;
}
static uint32_t AsYear(const char* text, size_t length) {
  int year = 0;
  if (length != 4) return 0;
  for (size_t i = 0; i < 4; ++i) {
    if (!isdigit((unsigned char)text[i])) return 0;
    year = 10 * year + (text[i] - '0');
  }
  return year >= 1920 && year < 2040 ? Bits(120) : 0;
}
static uint32_t AsRun(const char* text, size_t length) {
  const int step = length < 3 ? 0 : text[1] - text[0];
  if ((step != 1 && step != -1) || !isalnum((unsigned char)text[0])) return 0;
  for (size_t i = 2; i < length; ++i) {
    if (text[i] - text[i - 1] != step) return 0;
  }
  return Bits(26 * length);
}
static uint32_t AsRepeat(const char* text, size_t length) {
  if (length < 3) return 0;
  for (size_t i = 1; i < length; ++i) {
    if (text[i] != text[0]) return 0;
  }
  return Bits(40 * length);
}
static uint32_t AsKeys(const char* text, size_t length) {
  if (length < 4) return 0;
  for (size_t row = 0; row < sizeof kRows / sizeof *kRows; ++row) {
    const char* at = strchr(kRows[row], tolower((unsigned char)text[0]));
    if (at == NULL || strlen(at) < length) continue;
    size_t i = 0;
    while (i < length && tolower((unsigned char)text[i]) == at[i]) ++i;
    if (i == length) return Bits(36 * length);
  }
  return 0;
}
static uint32_t AsOther(const char* text, size_t length) {
  if (length != 1) return 0;
  const unsigned char c = (unsigned char)*text;
  return Bits(isdigit(c) ? 10 : islower(c) ? 26 : isupper(c) ? 40 : 66);
}

static uint32_t (*const kCosts[])(const char*, size_t) = {AsOther, AsWord,   AsYear,
                                                          AsRun,   AsRepeat, AsKeys};

int main(int argc, char** argv) {
  const char* text = argc > 1 ? argv[1] : "";
  const size_t length = strlen(text);
  if (length == 0 || length > kMost) return 2;
  // The least that the first i characters cost, and the piece that they end with.
  uint32_t least[kMost + 1] = {0};
  size_t begins[kMost + 1] = {0};
  Kind kinds[kMost + 1] = {kOther};
  for (size_t end = 1; end <= length; ++end) {
    least[end] = UINT32_MAX;
    for (size_t begin = 0; begin < end; ++begin) {
      for (Kind kind = kOther; kind <= kKeys; ++kind) {
        const uint32_t cost = kCosts[kind](text + begin, end - begin);
        // Where one piece ends and the next begins is to be guessed as well.
        const uint32_t seam = begin > 0 && (kind != kOther || kinds[begin] != kOther) ? kBit : 0;
        if (cost == 0 || least[begin] + cost + seam >= least[end]) continue;
        least[end] = least[begin] + cost + seam;
        begins[end] = begin;
        kinds[end] = kind;
      }
    }
  }
  printf("%u", least[length]);
  for (size_t end = length; end > 0; end = begins[end])
    printf(" %s:%zu", kNames[kinds[end]], end - begins[end]);
  printf("\n");
  return 0;
}
