// PBKDF2-HMAC-SHA256 (RFC 8018) with 20,000 rounds, of a password of 32 bytes and a salt of 16: the
// input of the closest published system.
#include "sha256.h"

enum { kRounds = 20000 };

EXPORT("pbkdf2") uint32_t Pbkdf2(uint32_t instance) {
  uint32_t random = FirstRandom(instance), password[8], salt[5];
  for (int i = 0; i < 8; ++i) password[i] = Next(&random);
  for (int i = 0; i < 4; ++i) salt[i] = Next(&random);
  salt[4] = 1;  // the block's number
  Hmac hmac;
  BeginHmac(&hmac, password);
  uint32_t code[8], key[8], block[16] = {0};
  HmacOf(&hmac, salt, 5, code);
  for (int i = 0; i < 8; ++i) key[i] = code[i];
  block[8] = 0x80000000u;
  block[15] = (64 + 32) * 8;
  for (int round = 1; round < kRounds; ++round) {
    for (int i = 0; i < 8; ++i) block[i] = code[i];
    for (int i = 0; i < 8; ++i) code[i] = hmac.inner[i];
    Compress(code, block);
    EndHmac(&hmac, code);
    for (int i = 0; i < 8; ++i) key[i] ^= code[i];
  }
  uint32_t digest = kFoldStart;
  for (int i = 0; i < 8; ++i) digest = Fold(digest, key[i]);
  return digest;
}
