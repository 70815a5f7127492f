// Finds a word in all files under the root. Its files are a folder that all instances share
// (--files); each instance looks for another word.
//
//     $ clang --target=wasm32-wasi -O2 -Wl,--strip-all -o search.wasm c/search.c
//     $ wasmburstctl run search.wasm --files data -- gulls
//     /texts/morning.txt:2: and the gulls walked between the boats.
//     $ printf '%s\n' wind Airfield snow >words.txt
//     $ wasmburstctl -q run search.wasm --files data --each-line --ordered -- {} <words.txt
//     /texts/noon.txt:1: At noon the wind came. The wind took the hats of the boys,
//     /stations.csv:5: Airfield,96,,8.9
//     $ wasmburstctl run search.wasm --files data -- snow; echo "exit code $?"
//     exit code 1
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { kMostPath = 1024, kMostLine = 4096 };

static long SearchFile(const char* path, const char* word) {
  FILE* file = fopen(path, "r");
  if (file == NULL) {
    fprintf(stderr, "search: %s: %s\n", path, strerror(errno));
    return 0;
  }
  char line[kMostLine];
  long found = 0;
  for (long number = 1; fgets(line, sizeof line, file) != NULL; ++number) {
    if (strstr(line, word) == NULL) continue;
    ++found;
    line[strcspn(line, "\r\n")] = 0;
    printf("%s:%ld: %s\n", path, number, line);
  }
  fclose(file);
  return found;
}

// Folders give their names sorted: scandir's order is alphasort's.
static long SearchFolder(const char* folder, const char* word) {
  struct dirent** entries;
  const int count = scandir(folder[0] == 0 ? "/" : folder, &entries, NULL, alphasort);
  if (count < 0) {
    fprintf(stderr, "search: %s: %s\n", folder, strerror(errno));
    return 0;
  }
  long found = 0;
  for (int i = 0; i < count; ++i) {
    const struct dirent* entry = entries[i];
    char path[kMostPath];
    const int bytes = snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
    const int is_parent = strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0;
    if (!is_parent && bytes < kMostPath) {
      found += entry->d_type == DT_DIR ? SearchFolder(path, word) : SearchFile(path, word);
    }
    free(entries[i]);
  }
  free(entries);
  return found;
}

int main(int argc, char** argv) {
  if (argc != 2 || argv[1][0] == 0) {
    fprintf(stderr, "use: search WORD\n");
    return 2;
  }
  return SearchFolder("", argv[1]) > 0 ? 0 : 1;
}
