//===- CacheFile.cpp - one file of the cache on disk ----------------------===//
// SPDX-License-Identifier: MIT
#include "icd_glue/cache/CacheFile.h"
#include "icd_glue/cache/FileTrust.h"
#include "llvm/Support/Path.h"
#include <chrono>
#include <thread>
#include <unistd.h>

using namespace llvm;

namespace icd {

using State = CacheDatabase::State;
using Mode = CacheDatabase::Mode;

/// Those who hold the lock alone do so for a few milliseconds.
constexpr unsigned lockAttempts = 40;
constexpr std::chrono::milliseconds lockPause(5);
constexpr std::chrono::seconds quietTime(1);

CacheFile::CacheFile(Options given) : options(std::move(given)) { start(); }

CacheFile::~CacheFile() = default;

bool CacheFile::isUsed() const {
  std::lock_guard lock(mutex);
  return condition != Condition::Off;
}

void CacheFile::turnOff(const std::string &why) {
  {
    std::lock_guard lock(mutex);
    condition = Condition::Off;
  }
  fileLock.release();
  if (!why.empty() && options.log)
    options.log("cache '" + options.path + "' is not used: " + why);
}

//===--- Opening and replacing --------------------------------------------===//

/// The first of the folder and all files that somebody else may have put there; empty: none.
static std::string whyUnsafe(const CacheFile::Options &options) {
  std::string path = options.path;
  if (options.mode == Mode::Immutable) {
    // One by name, so that a link to it is no trick; who may have written what it leads to counts.
    path = resolvedPath(options.path);
    if (path.empty())
      return {};
  }
  const Owner owner = options.mode == Mode::ReadWrite ? Owner::User : Owner::UserOrRoot;
  StringRef folder = sys::path::parent_path(path);
  if (std::string why = whyFolderIsUnsafe(folder.empty() ? "." : folder.str(), owner); !why.empty())
    return "its folder " + why;
  if (options.mode == Mode::Immutable) {
    std::string why = whyFileIsUnsafe(path, owner);
    return why.empty() ? why : "it " + why;
  }
  for (const char *suffix : {"", "-lock", "-wal", "-shm", "-journal"})
    if (std::string why = whyFileIsUnsafe(path + suffix, owner); !why.empty())
      return (*suffix ? "its file '" + std::string(suffix) + "' " : "it ") + why;
  return {};
}

void CacheFile::start() {
  if (std::string why = whyUnsafe(options); !why.empty())
    return turnOff(why);
  if (options.mode != Mode::Immutable) {
    if (!fileLock.open(options.path + "-lock", options.mode == Mode::ReadWrite))
      return turnOff(options.mode == Mode::ReadWrite || access(options.path.c_str(), F_OK) == 0
                         ? "its lock cannot be opened"
                         : "");
    unsigned attempt = 0;
    while (!fileLock.share())
      if (++attempt == lockAttempts)
        return turnOff("another process is making it");
      else
        std::this_thread::sleep_for(lockPause);
    lockNumber = fileLock.number();
  }
  CacheDatabase::Opened opened = connect(options.writeWaitMs);
  if (opened.state == State::Missing || opened.state == State::Damaged) {
    if (!replace(opened.state))
      return;
    opened = connect(options.writeWaitMs);
  }
  if (opened.state == State::Ready)
    idle.push_back(std::move(opened.database));
  else if (opened.state == State::Busy)
    beQuiet(); // there will be another time
  else
    turnOff(opened.why);
}

/// Makes the file, or puts another one in its place. Nobody uses a connection. False: turned off.
bool CacheFile::replace(State why) {
  if (options.mode != Mode::ReadWrite) {
    const bool isNamed = options.mode == Mode::Immutable; // by somebody who wants it
    turnOff(why == State::Damaged ? "it is damaged" : isNamed ? "no such file, or empty" : "");
    return false;
  }
  wasReplaced |= why == State::Damaged;
  for (unsigned attempt = 0; attempt < lockAttempts; ++attempt) {
    if (fileLock.takeAlone()) {
      if (fileLock.number() == lockNumber) {
        // In this order: a log that outlived its file would be taken for that of the next one.
        unlink((options.path + "-wal").c_str());
        unlink((options.path + "-shm").c_str());
        unlink((options.path + "-journal").c_str());
        if (why == State::Damaged)
          unlink(options.path.c_str());
        const State made = CacheDatabase::create(options.path);
        if (made != State::Ready) {
          turnOff(made == State::Foreign ? "not a cache of this driver" : "it cannot be made");
          return false;
        }
        fileLock.setNumber(lockNumber + 1);
        if (why == State::Damaged && options.log)
          options.log("cache '" + options.path + "' was damaged and is made anew");
      }
      lockNumber = fileLock.number();
      if (fileLock.share())
        return true;
    } else if (fileLock.share()) {
      const uint64_t number = fileLock.number();
      if (number != lockNumber) {
        lockNumber = number;
        return true;
      }
      fileLock.release();
    }
    std::this_thread::sleep_for(lockPause);
  }
  turnOff(why == State::Damaged ? "it is damaged, and other processes have it open"
                                : "other processes are making it");
  return false;
}

CacheDatabase::Opened CacheFile::connect(int waitMs) {
  CacheDatabase::Opened opened = CacheDatabase::open(options.path, options.mode, waitMs);
  // Somebody put another file there. Its log may be what was opened with the old file. Or another
  // folder: what is at its path now must be as good as what was there at the start.
  if (opened.database && ((options.mode != Mode::Immutable && opened.database->hasMoved()) ||
                          !whyUnsafe(options).empty())) {
    opened.database.reset();
    opened.state = State::Busy;
  }
  return opened;
}

//===--- Connections ------------------------------------------------------===//

bool CacheFile::isQuiet() const {
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::nanoseconds>(now).count() <
         quietUntil.load(std::memory_order_relaxed);
}

void CacheFile::beQuiet() {
  const auto until = std::chrono::steady_clock::now().time_since_epoch() + quietTime;
  quietUntil = std::chrono::duration_cast<std::chrono::nanoseconds>(until).count();
}

/// Null: there is none.
std::unique_ptr<CacheDatabase> CacheFile::acquire(int waitMs) {
  {
    std::lock_guard lock(mutex);
    if (condition != Condition::Used)
      return nullptr;
    ++inUse;
    if (!idle.empty()) {
      std::unique_ptr<CacheDatabase> database = std::move(idle.back());
      idle.pop_back();
      database->setWait(waitMs);
      return database;
    }
  }
  CacheDatabase::Opened opened = connect(waitMs);
  if (opened.database)
    return std::move(opened.database);
  beQuiet();
  giveBack(nullptr, opened.state == State::Damaged ? SqlResult::Damaged : SqlResult::Busy);
  return nullptr;
}

void CacheFile::giveBack(std::unique_ptr<CacheDatabase> database, SqlResult result) {
  std::vector<std::unique_ptr<CacheDatabase>> toClose;
  bool isLast = false;
  {
    std::lock_guard lock(mutex);
    if (result == SqlResult::Damaged && condition == Condition::Used)
      condition = Condition::Broken;
    if (condition == Condition::Used && database) {
      idle.push_back(std::move(database));
      --inUse;
      return;
    }
    if (condition != Condition::Used)
      toClose.swap(idle);
  }
  // All of them must be closed before somebody replaces the file.
  toClose.clear();
  database.reset();
  {
    std::lock_guard lock(mutex);
    isLast = --inUse == 0 && condition == Condition::Broken;
  }
  if (!isLast)
    return;
  if (wasReplaced)
    return turnOff("it is damaged again");
  if (replace(State::Damaged)) {
    std::lock_guard lock(mutex);
    condition = Condition::Used;
  }
}

SqlResult CacheFile::read(int64_t id,
                          function_ref<void(int64_t used, ArrayRef<uint8_t> body)> use) {
  return query([&](CacheDatabase &database) { return database.read(id, use); });
}

SqlResult
CacheFile::list(ArrayRef<uint8_t> generation, int64_t most,
                function_ref<bool(int64_t id, int64_t used, ArrayRef<uint8_t> body)> use) {
  return query([&](CacheDatabase &database) { return database.list(generation, most, use); });
}

SqlResult CacheFile::generations(std::vector<CacheDatabase::Generation> &all) {
  return query([&](CacheDatabase &database) { return database.generations(all); });
}

SqlResult CacheFile::query(function_ref<SqlResult(CacheDatabase &database)> ask) {
  if (isQuiet())
    return SqlResult::Busy;
  std::unique_ptr<CacheDatabase> database = acquire(options.readWaitMs);
  if (!database)
    return SqlResult::Busy;
  const SqlResult result = ask(*database);
  if (result == SqlResult::Busy || result == SqlResult::Failed)
    beQuiet();
  giveBack(std::move(database), result);
  return result;
}

SqlResult CacheFile::apply(CacheDatabase::Changes &changes) {
  if (options.mode != Mode::ReadWrite)
    return SqlResult::Failed;
  std::lock_guard lock(writing);
  std::unique_ptr<CacheDatabase> database = acquire(options.writeWaitMs);
  if (!database)
    return SqlResult::Busy;
  const SqlResult result = database->apply(changes);
  giveBack(std::move(database), result);
  return result;
}

} // namespace icd
