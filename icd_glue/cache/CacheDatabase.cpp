//===- CacheDatabase.cpp - a connection to a file of the cache on disk ----===//
// SPDX-License-Identifier: MIT
#include "icd_glue/cache/CacheDatabase.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <algorithm>
#include <fcntl.h>
#include <sqlite3.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace llvm;

namespace icd {
namespace {

constexpr int64_t applicationId = 0x4b696c6e; // "Kiln"
constexpr int64_t schemaVersion = 1;
constexpr int64_t secondsOfHour = 3600, secondsOfDay = 24 * secondsOfHour;
/// A limit that was lowered is reached in several steps, so that no transaction is huge.
constexpr unsigned mostVictims = 512;

/// What sqlite_schema must say, word for word: nothing else is ever executed on a file.
struct SchemaRow {
  StringRef name, sql;
};
constexpr SchemaRow schema[] = {
    {"kilnGeneration",
     "CREATE TABLE kilnGeneration(id INTEGER PRIMARY KEY, name BLOB NOT NULL UNIQUE, "
     "used INTEGER NOT NULL)"},
    {"sqlite_autoindex_kilnGeneration_1", ""},
    {"kilnEntry", "CREATE TABLE kilnEntry(id INTEGER PRIMARY KEY, generation INTEGER NOT NULL, "
                  "used INTEGER NOT NULL, body BLOB NOT NULL)"},
    {"kilnEntryByUse", "CREATE INDEX kilnEntryByUse ON kilnEntry(generation, used)"},
};

/// Everything but letters, digits and a few others as %XX.
std::string uriOf(StringRef path, CacheDatabase::Mode mode) {
  std::string uri = "file:";
  for (char letter : path)
    if (isAlnum(letter) || StringRef("/._-").contains(letter))
      uri += letter;
    else
      uri += "%" + toHex(StringRef(&letter, 1));
  if (mode == CacheDatabase::Mode::Immutable)
    uri += "?immutable=1";
  return uri;
}

/// Settings of each connection. Why no mmap: a file that somebody cuts off would be a SIGBUS. Why
/// synchronous=normal: what a dead process wrote is in the system's page cache, so only a power
/// failure can lose entries, and even that leaves a good file.
const char *const settings = "PRAGMA mmap_size=0; PRAGMA synchronous=normal; "
                             "PRAGMA secure_delete=off; PRAGMA cell_size_check=on; "
                             "PRAGMA trusted_schema=off; PRAGMA temp_store=memory; "
                             "PRAGMA journal_size_limit=4194304";

void harden(sqlite3 *database) {
  sqlite3_db_config(database, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
  sqlite3_db_config(database, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, nullptr);
  sqlite3_db_config(database, SQLITE_DBCONFIG_ENABLE_VIEW, 0, nullptr);
  sqlite3_limit(database, SQLITE_LIMIT_LENGTH, 2 * mostCheckedBytes);
}

CacheDatabase::State stateOf(SqlResult result) {
  switch (result) {
  case SqlResult::Done:
  case SqlResult::Row:
    return CacheDatabase::State::Ready;
  case SqlResult::Busy:
    return CacheDatabase::State::Busy;
  case SqlResult::Damaged:
    return CacheDatabase::State::Damaged;
  case SqlResult::Failed:
    break;
  }
  return CacheDatabase::State::Failed;
}

} // namespace

void CacheDatabase::Closer::operator()(sqlite3 *database) const { sqlite3_close_v2(database); }

CacheDatabase::~CacheDatabase() = default;

//===--- Opening ----------------------------------------------------------===//

CacheDatabase::State CacheDatabase::connect(const std::string &path, Mode mode, int waitMs) {
  struct stat status;
  if (stat(path.c_str(), &status) != 0 && errno == ENOENT)
    return State::Missing;
  if (S_ISFIFO(status.st_mode)) // to open it could wait for ever
    return State::Foreign;
  const int flags = (mode == Mode::ReadWrite ? SQLITE_OPEN_READWRITE : SQLITE_OPEN_READONLY) |
                    SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX;
  sqlite3 *opened = nullptr;
  const int code = sqlite3_open_v2(uriOf(path, mode).c_str(), &opened, flags, nullptr);
  handle.reset(opened);
  if (code != SQLITE_OK)
    return State::Failed;
  sqlite3_busy_timeout(opened, waitMs);
  harden(opened);
  State state = stateOf(execute(opened, settings));
  if (state == State::Ready)
    state = checkTables();
  if (state == State::Ready)
    state = prepareAll(mode);
  return state == State::Damaged ? judgeDamage() : state;
}

CacheDatabase::State CacheDatabase::checkTables() {
  Statement ids, rows;
  SqlResult result =
      ids.prepare(handle.get(), "SELECT application_id, user_version, page_size FROM "
                                "pragma_application_id, pragma_user_version, "
                                "pragma_page_size");
  if (isGood(result))
    result = rows.prepare(handle.get(), "SELECT name, sql FROM sqlite_schema");
  if (isGood(result))
    result = ids.step();
  if (!isGood(result))
    return stateOf(result);
  const bool isOurs = ids.integer(0) == applicationId, isNew = ids.integer(0) == 0;
  const bool isVersion = ids.integer(1) == schemaVersion;
  pageBytes = ids.integer(2);
  ids.reset();
  size_t count = 0;
  bool isEqual = true, hasOurs = false;
  while ((result = rows.step()) == SqlResult::Row) {
    isEqual &= count < std::size(schema) && rows.text(0) == schema[count].name &&
               rows.text(1) == schema[count].sql;
    hasOurs |= rows.text(0) == "kilnEntry";
    ++count;
  }
  if (!isGood(result))
    return stateOf(result);
  if (count == 0 && (isOurs || isNew))
    return State::Missing;
  hasOurTables = isOurs || hasOurs;
  if (!hasOurTables)
    return State::Foreign;
  return isOurs && isVersion && isEqual && count == std::size(schema) ? State::Ready
                                                                      : State::Damaged;
}

/// Whose file is it that SQLite cannot read? It is asked through SQLite's own file, because closing
/// another descriptor of it would drop the locks of the whole process.
CacheDatabase::State CacheDatabase::judgeDamage() {
  if (hasOurTables)
    return State::Damaged;
  sqlite3_file *file = nullptr;
  uint8_t header[72] = {};
  sqlite3_int64 size = 0;
  if (sqlite3_file_control(handle.get(), "main", SQLITE_FCNTL_FILE_POINTER,
                           static_cast<void *>(&file)) != SQLITE_OK ||
      !file || !file->pMethods || file->pMethods->xFileSize(file, &size) != SQLITE_OK)
    return State::Foreign;
  const int code = file->pMethods->xRead(file, header, sizeof(header), 0);
  if (code != SQLITE_OK && code != SQLITE_IOERR_SHORT_READ)
    return State::Foreign;
  const StringRef magic("SQLite format 3\0", 16);
  const int64_t id = int64_t(header[68]) << 24 | header[69] << 16 | header[70] << 8 | header[71];
  if (size >= static_cast<int64_t>(sizeof(header)))
    return id == applicationId ? State::Damaged : State::Foreign;
  // Cut off in front of the id.
  const size_t known = std::min<size_t>(static_cast<size_t>(size), magic.size());
  return StringRef(reinterpret_cast<char *>(header), known) == magic.take_front(known)
             ? State::Damaged
             : State::Foreign;
}

CacheDatabase::State CacheDatabase::prepareAll(Mode mode) {
  struct Row {
    Statement &statement;
    const char *sql;
    bool writes = true;
  };
  const Row rows[] = {
      {select, "SELECT used, body FROM kilnEntry WHERE id=?1", false},
      {listOf,
       "SELECT e.id, e.used, e.body FROM kilnEntry e JOIN kilnGeneration g ON e.generation=g.id "
       "WHERE g.name=?1 ORDER BY e.used DESC, e.id LIMIT ?2",
       false},
      {generationList,
       "SELECT g.name, g.used, (SELECT count(*) FROM kilnEntry WHERE generation=g.id), "
       "(SELECT total(length(body)) FROM kilnEntry WHERE generation=g.id) FROM kilnGeneration g "
       "ORDER BY g.used DESC, g.id",
       false},
      {begin, "BEGIN IMMEDIATE"},
      {commit, "COMMIT"},
      {rollback, "ROLLBACK"},
      {insert, "REPLACE INTO kilnEntry(id, generation, used, body) VALUES(?1, ?2, ?3, ?4)"},
      {isSame, "SELECT 1 FROM kilnEntry WHERE id=?1 AND generation=?2 AND body=?3"},
      {erase, "DELETE FROM kilnEntry WHERE id=?1"},
      {touch, "UPDATE kilnEntry SET used=?2 WHERE id=?1"},
      {generationOf, "SELECT id, used FROM kilnGeneration WHERE name=?1"},
      {addGeneration, "INSERT INTO kilnGeneration(name, used) VALUES(?1, ?2)"},
      {useGeneration, "UPDATE kilnGeneration SET used=?2 WHERE id=?1"},
      {removeGeneration, "DELETE FROM kilnGeneration WHERE id=?1"},
      {staleGeneration,
       "SELECT id FROM kilnGeneration WHERE used<?1 AND id<>?2 ORDER BY used LIMIT 1"},
      {oldestOf, "SELECT id FROM kilnEntry WHERE generation=?1 ORDER BY used LIMIT 1"},
      {oldestOfAll,
       "SELECT e.id FROM kilnGeneration g JOIN kilnEntry e ON e.id=(SELECT id FROM kilnEntry "
       "WHERE generation=g.id ORDER BY used LIMIT 1) ORDER BY e.used LIMIT 1"},
      {pageCount, "PRAGMA page_count"},
      {freeCount, "PRAGMA freelist_count"},
      {vacuum, "PRAGMA incremental_vacuum(512)"},
  };
  for (const Row &row : rows) {
    if (row.writes && mode != Mode::ReadWrite)
      continue;
    if (SqlResult result = row.statement.prepare(handle.get(), row.sql); !isGood(result))
      return stateOf(result);
  }
  return State::Ready;
}

CacheDatabase::Opened CacheDatabase::open(const std::string &path, Mode mode, int waitMs) {
  Opened opened;
  std::unique_ptr<CacheDatabase> database(new CacheDatabase);
  opened.state = database->connect(path, mode, waitMs);
  if (opened.state == State::Ready)
    opened.database = std::move(database);
  else if (opened.state == State::Missing)
    opened.why = "no such file, or an empty one";
  else if (opened.state == State::Foreign)
    opened.why = "not a cache of this driver";
  else
    opened.why = database->handle ? sqlite3_errmsg(database->handle.get()) : "out of memory";
  return opened;
}

CacheDatabase::State CacheDatabase::create(const std::string &path) {
  // SQLite would make a file that everybody may read; its other files get the permissions of this
  // one.
  const int made = ::open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
  if (made >= 0)
    close(made);
  const int flags =
      SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX;
  sqlite3 *opened = nullptr;
  const int code = sqlite3_open_v2(uriOf(path, Mode::ReadWrite).c_str(), &opened, flags, nullptr);
  std::unique_ptr<sqlite3, Closer> database(opened);
  if (code != SQLITE_OK || !isGood(execute(opened, settings)))
    return State::Failed;
  Statement count;
  if (!isGood(count.prepare(opened, "SELECT count(*) FROM sqlite_schema")) ||
      count.step() != SqlResult::Row)
    return State::Failed;
  if (count.integer(0) != 0)
    return State::Foreign;
  count.reset();
  std::string sql = "PRAGMA page_size=4096; PRAGMA auto_vacuum=incremental; BEGIN; ";
  for (const SchemaRow &row : schema)
    if (!row.sql.empty())
      sql += (row.sql + "; ").str();
  sql += "PRAGMA application_id=" + std::to_string(applicationId) +
         "; PRAGMA user_version=" + std::to_string(schemaVersion) +
         "; COMMIT; PRAGMA journal_mode=wal";
  return isGood(execute(opened, sql.c_str())) ? State::Ready : State::Failed;
}

void CacheDatabase::setWait(int milliseconds) { sqlite3_busy_timeout(handle.get(), milliseconds); }

bool CacheDatabase::hasMoved() const {
  int moved = 0;
  sqlite3_file_control(handle.get(), "main", SQLITE_FCNTL_HAS_MOVED, &moved);
  return moved != 0;
}

//===--- Reading and writing ----------------------------------------------===//

SqlResult CacheDatabase::read(int64_t id,
                              function_ref<void(int64_t used, ArrayRef<uint8_t> body)> use) {
  ResetAtEnd end(select);
  const SqlResult result = select.first(id);
  if (result == SqlResult::Row)
    use(select.integer(0), select.blob(1));
  return result;
}

SqlResult
CacheDatabase::list(ArrayRef<uint8_t> generation, int64_t most,
                    function_ref<bool(int64_t id, int64_t used, ArrayRef<uint8_t> body)> use) {
  ResetAtEnd end(listOf);
  SqlResult result = listOf.first(generation, most);
  const bool isAny = result == SqlResult::Row;
  while (result == SqlResult::Row && use(listOf.integer(0), listOf.integer(1), listOf.blob(2)))
    result = listOf.step();
  return isGood(result) && isAny ? SqlResult::Row : result;
}

SqlResult CacheDatabase::generations(std::vector<Generation> &all) {
  ResetAtEnd end(generationList);
  SqlResult result = generationList.first();
  for (; result == SqlResult::Row; result = generationList.step())
    all.push_back({generationList.blob(0).vec(), generationList.integer(1),
                   static_cast<uint64_t>(generationList.integer(2)),
                   static_cast<uint64_t>(generationList.integer(3))});
  return result;
}

SqlResult CacheDatabase::apply(Changes &changes) {
  changes.evicted = 0;
  SqlResult result = begin.run();
  if (!isGood(result))
    return result;
  result = change(changes);
  if (isGood(result))
    result = commit.run();
  if (isGood(result))
    shrink(changes);
  else if (!sqlite3_get_autocommit(handle.get()))
    rollback.run();
  return result;
}

SqlResult CacheDatabase::change(Changes &changes) {
  SqlResult result = SqlResult::Done;
  for (int64_t id : changes.removed)
    if (result = erase.run(id); !isGood(result))
      return result;
  for (int64_t id : changes.used)
    if (result = touch.run(id, changes.now); !isGood(result))
      return result;
  int64_t generation = 0;
  if (result = findGeneration(changes, generation); !isGood(result))
    return result;
  for (const Entry &entry : changes.stored) {
    const ArrayRef<uint8_t> body = entry.body;
    result = isSame.run(entry.id, generation, body);
    if (result == SqlResult::Row)
      continue;
    if (isGood(result))
      result = makeRoom(changes, generation, body.size());
    if (isGood(result))
      result = insert.run(entry.id, generation, changes.now, body);
    if (!isGood(result))
      return result;
  }
  return result;
}

/// Our row of the table of generations. Looked up each time, because others may have removed it.
SqlResult CacheDatabase::findGeneration(const Changes &changes, int64_t &id) {
  ResetAtEnd end(generationOf);
  SqlResult result = generationOf.first(changes.generation);
  if (result == SqlResult::Row) {
    id = generationOf.integer(0);
    // Clocks may go back, too.
    if (std::abs(changes.now - generationOf.integer(1)) < secondsOfHour)
      return result;
    return useGeneration.run(id, changes.now);
  }
  if (isGood(result))
    result = addGeneration.run(changes.generation, changes.now);
  id = sqlite3_last_insert_rowid(handle.get());
  return result;
}

/// The first number of a statement without parameters.
SqlResult CacheDatabase::number(Statement &statement, int64_t &value) {
  ResetAtEnd end(statement);
  const SqlResult result = statement.first();
  if (result == SqlResult::Row)
    value = statement.integer(0);
  return result;
}

SqlResult CacheDatabase::makeRoom(Changes &changes, int64_t generation, uint64_t size) {
  // Its page, those behind it, and what trees may grow by.
  const int64_t needed = static_cast<int64_t>(size) / pageBytes + 4;
  const int64_t most = static_cast<int64_t>(changes.maxBytes) / pageBytes;
  if (needed > most / 8)
    return SqlResult::Failed;
  while (true) {
    int64_t pages = 0, unused = 0, victim = 0;
    SqlResult result = number(pageCount, pages);
    if (isGood(result))
      result = number(freeCount, unused);
    if (!isGood(result) || pages - unused + needed <= most)
      return result;
    if (changes.evicted >= mostVictims) // the rest is for the next one
      return SqlResult::Done;
    if (isGood(result))
      result = findVictim(changes, generation, victim);
    // So much room, and nothing in it?
    if (result == SqlResult::Done)
      return SqlResult::Damaged;
    if (isGood(result))
      result = erase.run(victim);
    if (!isGood(result))
      return result;
    ++changes.evicted;
  }
}

SqlResult CacheDatabase::findVictim(const Changes &changes, int64_t generation, int64_t &victim) {
  while (true) {
    int64_t stale = 0;
    {
      ResetAtEnd end(staleGeneration);
      const SqlResult result = staleGeneration.first(changes.now - secondsOfDay, generation);
      if (result == SqlResult::Done)
        break;
      if (!isGood(result))
        return result;
      stale = staleGeneration.integer(0);
    }
    {
      ResetAtEnd end(oldestOf);
      const SqlResult result = oldestOf.first(stale);
      if (result == SqlResult::Row)
        victim = oldestOf.integer(0);
      if (result != SqlResult::Done)
        return result;
    }
    // Nothing is left of it.
    if (SqlResult result = removeGeneration.run(stale); !isGood(result))
      return result;
    if (sqlite3_changes(handle.get()) == 0)
      return SqlResult::Damaged; // nothing but a damaged index finds what is not there
  }
  return number(oldestOfAll, victim);
}

/// Gives pages back to the system when the file is larger than it may be. It is no harm if that
/// fails.
void CacheDatabase::shrink(const Changes &changes) {
  int64_t pages = 0, unused = 0;
  if (!isGood(number(pageCount, pages)) || !isGood(number(freeCount, unused)) || unused == 0 ||
      pages * pageBytes <= static_cast<int64_t>(changes.maxBytes))
    return;
  ResetAtEnd end(vacuum);
  for (SqlResult result = vacuum.first(); result == SqlResult::Row;)
    result = vacuum.step();
}

} // namespace icd
