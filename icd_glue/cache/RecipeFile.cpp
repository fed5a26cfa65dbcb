//===- RecipeFile.cpp - pipelines that outlive the compiler ---------------===//
// SPDX-License-Identifier: MIT
#include "icd_glue/cache/RecipeFile.h"
#include "icd_glue/cache/CodePacking.h"
#include "llpc/Hasher.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Endian.h"
#include <ctime>

using namespace llvm;

namespace icd {

namespace endian = support::endian;

namespace {

constexpr StringLiteral moduleGeneration = "module", recipePrefix = "recipe ";
constexpr size_t headBytes = 20;
/// So exact is the time of the last use.
constexpr int64_t secondsUnmarked = 3600;
/// Neither a recipe nor a module is larger.
constexpr uint32_t mostBytes = 32 << 20;

ArrayRef<uint8_t> bytesOf(StringRef text) { return {text.bytes_begin(), text.size()}; }

std::string generationOf(StringRef program) { return (recipePrefix + program).str(); }

/// What the checksum covers besides the bytes, and whose half is the database's key.
llpc::Hash128 hashOf(StringRef generation, const llpc::Hash128 &name) {
  llpc::Hasher hasher("recipe", 1);
  hasher.string(generation);
  hasher.hash(name);
  return hasher.finish();
}

int64_t idOf(const llpc::Hash128 &hash) {
  return static_cast<int64_t>(uint64_t(hash[1]) << 32 | hash[0]);
}

CacheDatabase::Entry entryOf(StringRef generation, const llpc::Hash128 &name,
                             ArrayRef<uint8_t> bytes) {
  std::vector<uint8_t> body(headBytes);
  for (unsigned i = 0; i < 4; ++i)
    endian::write32le(&body[4 * i], name[i]);
  endian::write32le(&body[16], static_cast<uint32_t>(bytes.size()));
  const std::vector<uint8_t> packed = packCode(bytes, {});
  append_range(body, packed.empty() ? bytes : ArrayRef(packed));
  const llpc::Hash128 hash = hashOf(generation, name);
  return {idOf(hash), withChecksum(hash, body)};
}

struct Unpacked {
  llpc::Hash128 name = {};
  std::vector<uint8_t> bytes;
};

/// Of an entry's body. None: it is not what entryOf() made.
std::optional<Unpacked> unpack(StringRef generation, int64_t id, ArrayRef<uint8_t> stored) {
  constexpr size_t checksumBytes = 8;
  if (stored.size() < checksumBytes + headBytes)
    return std::nullopt;
  Unpacked unpacked;
  const ArrayRef<uint8_t> head = stored.drop_front(checksumBytes);
  for (unsigned i = 0; i < 4; ++i)
    unpacked.name[i] = endian::read32le(&head[4 * i]);
  const llpc::Hash128 hash = hashOf(generation, unpacked.name);
  const auto body = checkedBytes(hash, stored);
  if (!body || idOf(hash) != id)
    return std::nullopt;
  const uint32_t size = endian::read32le(&(*body)[16]);
  const ArrayRef<uint8_t> packed = body->drop_front(headBytes);
  if (size > mostBytes || packed.size() > size)
    return std::nullopt;
  unpacked.bytes.resize(size);
  if (packed.size() == size)
    copy(packed, unpacked.bytes.begin());
  else if (!unpackCode(packed, {}, unpacked.bytes))
    return std::nullopt;
  return unpacked;
}

CacheDatabase::Mode modeOf(bool isReadOnly) {
  return isReadOnly ? CacheDatabase::Mode::ReadOnly : CacheDatabase::Mode::ReadWrite;
}

} // namespace

RecipeFile::RecipeFile(Options given)
    : options(std::move(given)),
      file({.path = options.path, .mode = modeOf(options.isReadOnly), .log = options.log}) {}

bool RecipeFile::apply(ArrayRef<uint8_t> generation, std::vector<CacheDatabase::Entry> stored,
                       std::vector<int64_t> used) {
  CacheDatabase::Changes changes;
  changes.generation = generation;
  changes.stored = std::move(stored);
  changes.used = std::move(used);
  changes.now = static_cast<int64_t>(std::time(nullptr));
  changes.maxBytes = std::max<uint64_t>(options.maxBytes, 1 << 20);
  return isGood(file.apply(changes));
}

/// Adds a recipe and its modules, unless they were used just before.
void RecipeFile::markUsed(StringRef generation, const llpc::Hash128 &name,
                          std::vector<int64_t> &recipes, std::vector<int64_t> &modules) {
  const int64_t id = idOf(hashOf(generation, name));
  std::optional<Unpacked> unpacked;
  file.read(id, [&](int64_t lastUse, ArrayRef<uint8_t> body) {
    if (std::abs(static_cast<int64_t>(std::time(nullptr)) - lastUse) >= secondsUnmarked)
      unpacked = unpack(generation, id, body);
  });
  if (!unpacked)
    return;
  recipes.push_back(id);
  SmallVector<StringRef, 64> lines;
  toStringRef(unpacked->bytes).split(lines, '\n');
  for (StringRef line : lines)
    if (line.consume_front("fileName = "))
      modules.push_back(idOf(hashOf(moduleGeneration, nameOfModule(line))));
}

bool RecipeFile::store(StringRef program, ArrayRef<Recipe> recipes,
                       ArrayRef<llpc::Hash128> usedToo) {
  const std::string generation = generationOf(program);
  std::vector<CacheDatabase::Entry> texts, modules;
  std::vector<int64_t> used, usedModules;
  bool isAll = true;
  for (const Recipe &recipe : recipes) {
    for (const Recipe::Module &module : recipe.modules) {
      const int64_t id = idOf(hashOf(moduleGeneration, module.name));
      const auto *words = reinterpret_cast<const uint8_t *>(module.words.data());
      const size_t size = 4 * module.words.size();
      isAll &= size <= mostBytes;
      if (size > mostBytes || is_contained(usedModules, id))
        continue;
      usedModules.push_back(id);
      modules.push_back(entryOf(moduleGeneration, module.name, {words, size}));
    }
    isAll &= recipe.text.size() <= mostBytes;
    if (recipe.text.size() <= mostBytes)
      texts.push_back(entryOf(generation, recipe.name, bytesOf(recipe.text)));
    used.push_back(idOf(hashOf(generation, recipe.name)));
  }
  for (const llpc::Hash128 &name : usedToo)
    markUsed(generation, name, used, usedModules);
  // Modules first: a recipe without them is of no use.
  return ((modules.empty() && usedModules.empty()) ||
          apply(bytesOf(moduleGeneration), std::move(modules), std::move(usedModules))) &&
         apply(bytesOf(generation), std::move(texts), std::move(used)) && isAll;
}

std::vector<Recipe> RecipeFile::recipes(StringRef program, size_t most) {
  const std::string generation = generationOf(program);
  std::vector<Recipe> all;
  file.list(bytesOf(generation), static_cast<int64_t>(most),
            [&](int64_t id, int64_t used, ArrayRef<uint8_t> body) {
              auto unpacked = unpack(generation, id, body);
              if (unpacked)
                all.push_back({unpacked->name, toStringRef(unpacked->bytes).str(), {}, used});
              return true;
            });
  return all;
}

llpc::Hash128 RecipeFile::nameOfModule(StringRef fileName) {
  return llpc::hashBytes(bytesOf(fileName));
}

std::optional<std::vector<uint8_t>> RecipeFile::module(const llpc::Hash128 &name) {
  std::optional<Unpacked> unpacked;
  const int64_t id = idOf(hashOf(moduleGeneration, name));
  file.read(
      id, [&](int64_t, ArrayRef<uint8_t> body) { unpacked = unpack(moduleGeneration, id, body); });
  if (!unpacked || unpacked->name != name)
    return std::nullopt;
  return std::move(unpacked->bytes);
}

std::vector<RecipeFile::Program> RecipeFile::programs() {
  std::vector<CacheDatabase::Generation> generations;
  file.generations(generations);
  std::vector<Program> programs;
  for (const CacheDatabase::Generation &generation : generations) {
    StringRef name = toStringRef(generation.name);
    if (name.consume_front(recipePrefix) && generation.entries)
      programs.push_back({name.str(), generation.used, generation.entries, generation.bytes});
  }
  return programs;
}

} // namespace icd
