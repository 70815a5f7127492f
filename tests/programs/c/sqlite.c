// A shell for SQLite: runs the statements of standard input on the database that argument 1 names,
// and prints rows with "|" between their values. Exit code 1 when a statement failed.
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>

static int PrintRow(void* context, int columns, char** values, char** names) {
  for (int i = 0; i < columns; ++i) printf("%s%s", i ? "|" : "", values[i] ? values[i] : "NULL");
  putchar('\n');
  return 0;
}

static char* ReadAll(FILE* file) {
  size_t used = 0, room = 4096;
  char* text = malloc(room);
  for (size_t got; (got = fread(text + used, 1, room - used - 1, file)) > 0;) {
    used += got;
    if (room - used < 2048) text = realloc(text, room *= 2);
  }
  text[used] = 0;
  return text;
}

// The demonstration file system is all that this build has.
sqlite3_vfs* sqlite3_demovfs(void);
int sqlite3_os_init(void) { return sqlite3_vfs_register(sqlite3_demovfs(), 1); }
int sqlite3_os_end(void) { return SQLITE_OK; }

int main(int count, char** args) {
  sqlite3* database;
  if (sqlite3_open(count > 1 ? args[1] : ":memory:", &database) != SQLITE_OK) {
    fprintf(stderr, "not opened: %s\n", sqlite3_errmsg(database));
    return 2;
  }
  char* why = NULL;
  const int failed = sqlite3_exec(database, ReadAll(stdin), PrintRow, NULL, &why) != SQLITE_OK;
  if (failed) fprintf(stderr, "failed: %s\n", why);
  printf("%d changes\n", sqlite3_total_changes(database));
  return sqlite3_close(database) == SQLITE_OK ? failed : 3;
}
