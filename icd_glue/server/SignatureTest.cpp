// SPDX-License-Identifier: MIT
#include "icd_glue/server/ServerEntry.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"
#include <gtest/gtest.h>
#include <sys/stat.h>

namespace icd {
namespace {

Key32 keyFrom(llvm::StringRef hex) {
  Key32 key = {};
  llvm::copy(llvm::fromHex(hex), key.begin());
  return key;
}

class SignatureTest : public testing::Test {
protected:
  void SetUp() override {
    llvm::SmallString<64> name;
    ASSERT_FALSE(llvm::sys::fs::createUniqueDirectory("kiln-sign", name));
    folder = name.str().str();
    Key32 seed;
    seed.fill(7);
    auto made = Signer::create(seed);
    if (!made) {
      llvm::consumeError(made.takeError());
      GTEST_SKIP() << "no OpenSSL";
    }
    signer = std::move(*made);
    verifier = llvm::cantFail(Verifier::create({signer->publicKey()}));
  }
  void TearDown() override { llvm::sys::fs::remove_directories(folder); }
  void write(const std::string &path, llvm::StringRef text) const {
    std::error_code code;
    llvm::raw_fd_ostream(path, code) << text;
    ASSERT_FALSE(code);
  }

  std::string folder;
  std::unique_ptr<Signer> signer;
  std::unique_ptr<Verifier> verifier;
};

/// RFC 8032, section 7.1, the second test.
TEST_F(SignatureTest, IsThatOfTheStandard) {
  const auto other = llvm::cantFail(
      Signer::create(keyFrom("4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb")));
  EXPECT_EQ(hexOf(other->publicKey()),
            "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c");
  EXPECT_EQ(llvm::toHex(other->sign("\x72"), true),
            "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da"
            "085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00");
}

TEST_F(SignatureTest, EveryBitOfAFileCounts) {
  const std::string path = folder + "/file", text = "what is in it";
  write(path, text);
  EXPECT_TRUE(llvm::errorToBool(verifier->verifyFile(path))) << "there is no signature";
  ASSERT_FALSE(llvm::errorToBool(signer->signFile(path)));
  EXPECT_FALSE(llvm::errorToBool(verifier->verifyFile(path)));
  for (size_t bit = 0; bit < text.size() * 8; ++bit) {
    std::string changed = text;
    changed[bit / 8] = static_cast<char>(changed[bit / 8] ^ (1 << bit % 8));
    write(path, changed);
    EXPECT_TRUE(llvm::errorToBool(verifier->verifyFile(path))) << bit;
  }
  for (const std::string &changed : {text + "x", text.substr(1), std::string()}) {
    write(path, changed);
    EXPECT_TRUE(llvm::errorToBool(verifier->verifyFile(path)));
  }
  write(path, text);
  EXPECT_FALSE(llvm::errorToBool(verifier->verifyFile(path)));
  Key32 seed;
  seed.fill(8);
  const auto other = llvm::cantFail(Signer::create(seed));
  EXPECT_TRUE(
      llvm::errorToBool(llvm::cantFail(Verifier::create({other->publicKey()}))->verifyFile(path)));
  EXPECT_FALSE(
      llvm::errorToBool(llvm::cantFail(Verifier::create({other->publicKey(), signer->publicKey()}))
                            ->verifyFile(path)))
      << "while the key is changed";
  for (llvm::StringRef damaged :
       {llvm::StringRef(), llvm::StringRef("KLSG"), llvm::StringRef(text)}) {
    write(path + ".sig", damaged);
    EXPECT_TRUE(llvm::errorToBool(verifier->verifyFile(path)));
  }
}

/// Who opens a pipe waits for somebody who writes to it.
TEST_F(SignatureTest, WhatIsNoFileIsNotOpened) {
  const std::string path = folder + "/pipe", file = folder + "/file";
  ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
  EXPECT_TRUE(llvm::errorToBool(verifier->verifyFile(path)));
  write(file, "text");
  ASSERT_EQ(mkfifo((file + ".sig").c_str(), 0600), 0);
  EXPECT_TRUE(llvm::errorToBool(verifier->verifyFile(file)));
  EXPECT_TRUE(llvm::errorToBool(verifier->verifyFile("/dev/zero")));
}

TEST_F(SignatureTest, EntriesBelongToTheirNames) {
  Key32 nameKey;
  nameKey.fill(1);
  const uint8_t key[16] = {1}, record[] = {1, 2, 3};
  const std::string name = serverNameOf(nameKey, "compiler", "gfx1100", key);
  EXPECT_NE(name, serverNameOf(nameKey, "compiler", "gfx1030", key));
  EXPECT_NE(name, serverNameOf(nameKey, "compilers", "gfx1100", key));
  const std::string value = serverValueOf(*signer, name, record);
  EXPECT_EQ(recordOf(*verifier, name, value), llvm::ArrayRef<uint8_t>(record));
  EXPECT_FALSE(recordOf(*verifier, serverNameOf(nameKey, "compiler", "gfx1030", key), value));
  for (size_t bit = 0; bit < value.size() * 8; ++bit) {
    std::string changed = value;
    changed[bit / 8] = static_cast<char>(changed[bit / 8] ^ (1 << bit % 8));
    EXPECT_FALSE(recordOf(*verifier, name, changed)) << bit;
  }
  for (size_t size = 0; size < value.size(); ++size)
    EXPECT_FALSE(recordOf(*verifier, name, value.substr(0, size)));
}

TEST_F(SignatureTest, SecretsBelongToTheUser) {
  const std::string path = folder + "/keys", digits(64, 'a');
  const auto load = [&](const std::string &text, mode_t mode) {
    write(path, text);
    chmod(path.c_str(), mode);
    return Secrets::load(path);
  };
  const Secrets all = llvm::cantFail(load("# keys\nname " + digits + "\nsign " + digits +
                                              "\npublic " + digits + "\nca /a b\nprivate /c\n",
                                          0600));
  EXPECT_TRUE(all.name && all.sign);
  EXPECT_EQ(all.publics.size(), 1u);
  EXPECT_EQ(all.tls.ca, "/a b");
  EXPECT_FALSE(llvm::errorToBool(load("public " + digits, 0644).takeError()));
  EXPECT_TRUE(llvm::errorToBool(load("public " + digits, 0664).takeError()));
  EXPECT_TRUE(llvm::errorToBool(load("public " + digits, 0646).takeError()));
  for (const char *what : {"name ", "sign ", "seal "})
    EXPECT_TRUE(llvm::errorToBool(load(what + digits, 0644).takeError())) << what;
  EXPECT_TRUE(llvm::errorToBool(load("password x", 0640).takeError()));
  EXPECT_TRUE(llvm::errorToBool(load("public 12", 0600).takeError()));
  EXPECT_TRUE(llvm::errorToBool(load("publik " + digits, 0600).takeError()));
  EXPECT_TRUE(llvm::errorToBool(load("ca not/absolute", 0600).takeError()));
  EXPECT_FALSE(llvm::errorToBool(load("", 0600).takeError()));
  // Nothing of a file is taken where not all of it is read.
  EXPECT_TRUE(llvm::errorToBool(load(std::string(65537, '#'), 0600).takeError()));
  ASSERT_EQ(symlink("keys", (folder + "/link").c_str()), 0);
  EXPECT_TRUE(llvm::errorToBool(Secrets::load(folder + "/link").takeError()));
  EXPECT_TRUE(llvm::errorToBool(Secrets::load(folder).takeError()));
}

} // namespace
} // namespace icd
