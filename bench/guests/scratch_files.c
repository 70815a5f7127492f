// Writes so many files as its argument says, reads each again, and prints the sum of what it read.
#include <stdio.h>
#include <stdlib.h>

static void name_of(int i, char* name) { snprintf(name, 32, "file-%07d", i); }

int main(int argc, char** argv) {
  const int files = argc > 1 ? atoi(argv[1]) : 0;
  char name[32];
  for (int i = 0; i < files; ++i) {
    name_of(i, name);
    FILE* file = fopen(name, "w");
    if (!file || fprintf(file, "%d\n", i) < 0 || fclose(file)) return 1;
  }
  long long sum = 0;
  for (int i = 0; i < files; ++i) {
    name_of(files - 1 - i, name);
    FILE* file = fopen(name, "r");
    int number = 0;
    if (!file || fscanf(file, "%d", &number) != 1 || fclose(file)) return 2;
    sum += number;
  }
  printf("%lld\n", sum);
  return 0;
}
