//===- RecipeFileTest.cpp -------------------------------------------------===//
// SPDX-License-Identifier: MIT
#include "icd_glue/cache/RecipeFile.h"
#include "icd_glue/cache/DiskCacheForTest.h"
#include "llvm/Support/FormatVariadic.h"

namespace icd {
namespace {

using disktest::Folder;

class RecipeFiles : public testing::Test {
protected:
  RecipeFile open(bool isReadOnly = false) {
    return RecipeFile(
        {.path = folder.path(), .isReadOnly = isReadOnly, .log = folder.options().log});
  }
  /// Of a pipeline with modules "a.spv" and \p number.
  Recipe recipe(uint32_t number) {
    words[number] = {number, 2, 3, 4};
    return {{number, 1, 2, 3},
            "text " + std::to_string(number) + std::string(500, '.'),
            {{RecipeFile::nameOfModule("a.spv"), shared},
             {RecipeFile::nameOfModule(std::to_string(number)), words[number]}},
            0};
  }
  static std::vector<uint32_t> numbersOf(const std::vector<Recipe> &recipes) {
    std::vector<uint32_t> numbers;
    for (const Recipe &recipe : recipes)
      numbers.push_back(recipe.name[0]);
    return numbers;
  }
  /// As if entry \p number had been used then.
  void setUse(uint32_t number, int64_t used) {
    // The numbers of the entries are halves of hashes: by content.
    folder.execute("UPDATE kilnEntry SET used=" + std::to_string(used) +
                   " WHERE substr(body,9,4)=x'0" + std::to_string(number) + "000000'");
  }

  Folder folder;
  std::vector<uint32_t> shared = {0x07230203, 7, 7};
  std::map<uint32_t, std::vector<uint32_t>> words;
};
using Numbers = std::vector<uint32_t>;

TEST_F(RecipeFiles, KeepsWhatProgramsMade) {
  {
    RecipeFile file = open();
    EXPECT_TRUE(file.store("one", {recipe(1), recipe(2)}));
    EXPECT_TRUE(file.store("two", {recipe(1)}));
  }
  RecipeFile file = open();
  const std::vector<Recipe> read = file.recipes("one", 10);
  ASSERT_EQ(read.size(), 2u);
  for (const Recipe &one : read) {
    EXPECT_EQ(one.text, recipe(one.name[0]).text);
    EXPECT_TRUE(one.modules.empty());
    EXPECT_GT(one.used, 0);
  }
  EXPECT_EQ(file.recipes("one", 1).size(), 1u);
  EXPECT_EQ(numbersOf(file.recipes("two", 10)), (Numbers{1}));
  EXPECT_TRUE(file.recipes("three", 10).empty());
  const auto module = file.module(RecipeFile::nameOfModule("a.spv"));
  ASSERT_TRUE(module);
  EXPECT_EQ(llvm::ArrayRef(*module),
            llvm::ArrayRef(reinterpret_cast<const uint8_t *>(shared.data()), 4 * shared.size()));
  EXPECT_FALSE(file.module(RecipeFile::nameOfModule("b.spv")));
  ASSERT_EQ(file.programs().size(), 2u);
  EXPECT_EQ(folder.number("SELECT count(*) FROM kilnEntry"), 3 + 3) << "a module is there once";
  EXPECT_TRUE(folder.messages.empty());
}

TEST_F(RecipeFiles, TheLastUsedComeFirst) {
  RecipeFile file = open();
  EXPECT_TRUE(file.store("one", {recipe(1), recipe(2), recipe(3)}));
  setUse(1, 1000);
  setUse(2, 3000);
  setUse(3, 2000);
  EXPECT_EQ(numbersOf(file.recipes("one", 10)), (Numbers{2, 3, 1}));
  // Stored again, and only said to be used.
  EXPECT_TRUE(file.store("one", {recipe(3)}));
  EXPECT_EQ(numbersOf(file.recipes("one", 10)), (Numbers{3, 2, 1}));
  setUse(3, 2000);
  EXPECT_TRUE(file.store("one", {}, {recipe(1).name}));
  EXPECT_EQ(numbersOf(file.recipes("one", 10)), (Numbers{1, 2, 3}));
  EXPECT_EQ(numbersOf(file.recipes("one", 2)), (Numbers{1, 2}));
}

TEST_F(RecipeFiles, ModulesAreUsedWithTheirRecipes) {
  RecipeFile file = open();
  Recipe one = recipe(1);
  one.text = "[CsSpvFile]\nfileName = a.spv\n";
  EXPECT_TRUE(file.store("one", {one}));
  folder.execute("UPDATE kilnEntry SET used=1000");
  EXPECT_TRUE(file.store("one", {}, {one.name}));
  EXPECT_EQ(folder.number("SELECT count(*) FROM kilnEntry WHERE used>1000"), 2);
  // Seldom enough that it costs nothing.
  folder.execute("UPDATE kilnEntry SET used=used-1000");
  const int64_t before = folder.number("SELECT max(used) FROM kilnEntry");
  EXPECT_TRUE(file.store("one", {}, {one.name}));
  EXPECT_EQ(folder.number("SELECT max(used) FROM kilnEntry"), before);
}

TEST_F(RecipeFiles, DamagedRecipesAreLeftOut) {
  RecipeFile file = open();
  EXPECT_TRUE(file.store("one", {recipe(1), recipe(2)}));
  const int64_t bytes = folder.number("SELECT max(length(body)) FROM kilnEntry");
  uint32_t seed = 1;
  for (unsigned round = 0; round < 100; ++round) {
    // Of a good entry, with one byte that is another, or cut off.
    seed = seed * 1103515245 + 12345;
    const auto at = static_cast<unsigned>(1 + (seed >> 8) % static_cast<uint64_t>(bytes));
    const std::string change =
        round % 4 ? llvm::formatv("cast(substr(body,1,{0}-1)||x'{1}'||substr(body,{0}+1) as blob)",
                                  at, round % 3 ? "ff" : "00")
                        .str()
                  : llvm::formatv("substr(body,1,{0}-1)", at).str();
    folder.execute("CREATE TABLE kept AS SELECT * FROM kilnEntry");
    folder.execute("UPDATE kilnEntry SET body=" + change);
    for (const Recipe &one : file.recipes("one", 10))
      EXPECT_EQ(one.text, recipe(one.name[0]).text);
    const auto module = file.module(RecipeFile::nameOfModule("a.spv"));
    EXPECT_TRUE(!module || module->size() == 12);
    folder.execute("DELETE FROM kilnEntry");
    folder.execute("INSERT INTO kilnEntry SELECT * FROM kept");
    folder.execute("DROP TABLE kept");
  }
  EXPECT_EQ(file.recipes("one", 10).size(), 2u);
}

TEST_F(RecipeFiles, ReadOnlyFilesStay) {
  EXPECT_FALSE(open(/*isReadOnly=*/true).store("one", {recipe(1)}));
  EXPECT_TRUE(open().store("one", {recipe(1)}));
  RecipeFile file = open(/*isReadOnly=*/true);
  EXPECT_FALSE(file.store("one", {recipe(2)}));
  EXPECT_EQ(numbersOf(file.recipes("one", 10)), (Numbers{1}));
}

} // namespace
} // namespace icd
