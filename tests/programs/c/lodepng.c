// encode IN.ppm OUT.png, or decode IN.png OUT.ppm.
#include <lodepng.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int Encode(const char* in, const char* out) {
  unsigned width, height;
  FILE* file = fopen(in, "rb");
  if (!file || fscanf(file, "P6 %u %u 255", &width, &height) != 2) return 2;
  fgetc(file);
  unsigned char* pixels = malloc(width * height * 3);
  if (fread(pixels, 3, width * height, file) != width * height) return 3;
  fclose(file);
  return lodepng_encode24_file(out, pixels, width, height);
}

static int Decode(const char* in, const char* out) {
  unsigned char* pixels;
  unsigned width, height;
  const unsigned failed = lodepng_decode24_file(&pixels, &width, &height, in);
  if (failed) return fprintf(stderr, "%s\n", lodepng_error_text(failed)), 1;
  FILE* file = fopen(out, "wb");
  fprintf(file, "P6\n%u %u\n255\n", width, height);
  fwrite(pixels, 3, width * height, file);
  printf("%u by %u\n", width, height);
  return fclose(file);
}

int main(int count, char** args) {
  if (count != 4) return 64;
  return strcmp(args[1], "encode") == 0 ? Encode(args[2], args[3]) : Decode(args[2], args[3]);
}
