// Statistics of columns of a CSV file, read from standard input; fields may be quoted.
//
//     $ clang --target=wasm32-wasi -O2 -Wl,--strip-all -o columns.wasm c/columns.c
//     $ wasmburstctl run columns.wasm -- height rain temperature <data/stations.csv
//     column           count        min       mean        max
//     height               5          2      702.2       1890
//     rain                 4        743     1424.5       2210
//     temperature          5       -1.3       5.38        9.8
//     $ wasmburstctl run columns.wasm -- snow <data/stations.csv; echo "exit code $?"
//     columns: there is no column [snow]; the first line names them
//     exit code 2
//
// A field that is not a number is left out.
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { kMostColumns = 64, kMostBytes = 256 };

typedef struct {
  long count;
  double low, high, sum;
} Column;

// The next field, without its quotes; what does not fit is cut. Answers the character behind it.
static int ReadField(char* field) {
  size_t bytes = 0;
  bool is_quoted = false;
  int c;
  while ((c = getchar()) != EOF && (is_quoted || (c != ',' && c != '\n'))) {
    if (c == '"') {
      is_quoted = !is_quoted;
    } else if (c != '\r' && bytes + 1 < kMostBytes) {
      field[bytes++] = (char)c;
    }
  }
  field[bytes] = 0;
  return c;
}

// Where the wanted names stand in the first line: places[column] is a place in `names`, or -1.
static int ReadHeader(int* places, char** names, int wanted) {
  char field[kMostBytes];
  int columns = 0, c;
  do {
    c = ReadField(field);
    if (columns == kMostColumns) break;
    places[columns] = -1;
    for (int i = 0; i < wanted; ++i) {
      if (strcmp(field, names[i]) == 0) places[columns] = i;
    }
    ++columns;
  } while (c == ',');
  return columns;
}

static void Add(Column* column, const char* field) {
  char* end;
  const double value = strtod(field, &end);
  if (end == field || *end != 0) return;
  if (column->count == 0 || value < column->low) column->low = value;
  if (column->count == 0 || value > column->high) column->high = value;
  column->sum += value;
  ++column->count;
}

static void ReadRows(const int* places, int columns, Column* found) {
  char field[kMostBytes];
  for (int c = ',', at = 0; c != EOF; at = c == ',' ? at + 1 : 0) {
    c = ReadField(field);
    if (at < columns && places[at] >= 0) Add(&found[places[at]], field);
  }
}

static bool HasAll(const int* places, int columns, char** names, int wanted) {
  for (int i = 0; i < wanted; ++i) {
    bool is_there = false;
    for (int at = 0; at < columns; ++at) is_there |= places[at] == i;
    if (is_there) continue;
    fprintf(stderr, "columns: there is no column [%s]; the first line names them\n", names[i]);
    return false;
  }
  return true;
}

int main(int argc, char** argv) {
  const int wanted = argc - 1;
  if (wanted < 1 || wanted > kMostColumns) {
    fprintf(stderr, "use: columns NAME... <FILE.csv\n");
    return 2;
  }
  int places[kMostColumns];
  Column found[kMostColumns] = {0};
  const int columns = ReadHeader(places, argv + 1, wanted);
  if (!HasAll(places, columns, argv + 1, wanted)) return 2;
  ReadRows(places, columns, found);
  printf("%-12s %9s %10s %10s %10s\n", "column", "count", "min", "mean", "max");
  for (int i = 0; i < wanted; ++i) {
    const Column* column = &found[i];
    const double mean = column->count > 0 ? column->sum / (double)column->count : 0;
    printf("%-12s %9ld %10g %10g %10g\n", argv[i + 1], column->count, column->low, mean,
           column->high);
  }
  return 0;
}
