// bcrypt (Provos and Mazieres, 1999) of a password of 20 letters, cost 4: Blowfish, whose tables of
// 4 KiB each instance makes anew from its password and salt.
#include "guest.h"

enum { kCost = 4, kLetters = 20, kTables = 18, kStateWords = kTables + 1024 };
static const uint32_t kPi[kStateWords] = {
#include "pi_words.inc"
};
// The schedule of 18 words, then four tables of 256.
static uint32_t state[kStateWords];

static uint32_t Mix(uint32_t x) {
  const uint32_t* table = state + kTables;
  return ((table[x >> 24] + table[256 + (x >> 16 & 255)]) ^ table[512 + (x >> 8 & 255)]) +
         table[768 + (x & 255)];
}

static void Encrypt(uint32_t* left, uint32_t* right) {
  uint32_t l = *left, r = *right;
  for (int i = 0; i < 16; i += 2) {
    l ^= state[i];
    r ^= Mix(l);
    r ^= state[i + 1];
    l ^= Mix(r);
  }
  *left = r ^ state[17];
  *right = l ^ state[16];
}

// The key's words into the schedule, and then all of it anew; `salt` is four words.
static void Expand(const uint32_t key[kTables], const uint32_t* salt) {
  uint32_t left = 0, right = 0;
  for (int i = 0; i < kTables; ++i) state[i] ^= key[i];
  for (int i = 0; i < kStateWords; i += 2) {
    left ^= salt[i % 4];
    right ^= salt[i % 4 + 1];
    Encrypt(&left, &right);
    state[i] = left;
    state[i + 1] = right;
  }
}

// Bytes, over and over, as words of the highest byte first.
static void Repeat(const uint8_t* bytes, int count, uint32_t words[kTables]) {
  int at = 0;
  for (int i = 0; i < kTables; ++i) {
    words[i] = 0;
    for (int byte = 0; byte < 4; ++byte) {
      words[i] = words[i] << 8 | bytes[at];
      at = at + 1 < count ? at + 1 : 0;
    }
  }
}

EXPORT("bcrypt") uint32_t Bcrypt(uint32_t instance) {
  static const uint32_t kNoSalt[4] = {0};
  uint32_t random = FirstRandom(instance), salt[4], salt_key[kTables], key[kTables];
  uint8_t password[kLetters + 1];
  for (int i = 0; i < kLetters; ++i) password[i] = (uint8_t)('a' + (Next(&random) >> 16) % 26);
  password[kLetters] = 0;
  for (int i = 0; i < 4; ++i) salt[i] = Next(&random);
  for (int i = 0; i < kTables; ++i) salt_key[i] = salt[i % 4];
  Repeat(password, kLetters + 1, key);
  for (int i = 0; i < kStateWords; ++i) state[i] = kPi[i];
  Expand(key, salt);
  for (int round = 0; round < 1 << kCost; ++round) {
    Expand(key, kNoSalt);
    Expand(salt_key, kNoSalt);
  }
  uint32_t text[6] = {0x4f727068, 0x65616e42, 0x65686f6c, 0x64657253, 0x63727944, 0x6f756274};
  uint32_t digest = kFoldStart;
  for (int i = 0; i < 6; i += 2) {
    for (int round = 0; round < 64; ++round) Encrypt(&text[i], &text[i + 1]);
    digest = Fold(Fold(digest, text[i]), text[i + 1]);
  }
  return digest;
}
