//===- PictureFile.cpp - presented images as PNG files --------------------===//
// SPDX-License-Identifier: MIT
#include "icd_glue/wsi/PictureFile.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/Errno.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include <csetjmp>
#include <cstdio>
#include <png.h>

using namespace llvm;

namespace icd {
namespace {

void keepMessage(png_structp png, png_const_charp message) {
  *static_cast<std::string *>(png_get_error_ptr(png)) = message;
  png_longjmp(png, 1);
}

void ignoreWarning(png_structp, png_const_charp) {}

/// What is between libpng's setjmp and longjmp: no object here may need a destructor.
/// \returns false: the error handler was called.
bool writeRows(png_structp png, png_infop info, const Picture &picture, std::FILE *file) {
  if (setjmp(png_jmpbuf(png)))
    return false;
  png_init_io(png, file);
  png_set_IHDR(png, info, picture.width, picture.height, 8, PNG_COLOR_TYPE_RGB, PNG_INTERLACE_NONE,
               PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
  png_set_sRGB(png, info, PNG_sRGB_INTENT_PERCEPTUAL);
  // Rendered pictures compress well anyhow; programs that wait for the file should not wait long.
  png_set_compression_level(png, 3);
  png_write_info(png, info);
  png_set_filler(png, 0, PNG_FILLER_AFTER); // rows in memory have a fourth byte
  if (picture.isBgr)
    png_set_bgr(png);
  for (uint32_t y = 0; y < picture.height; ++y)
    png_write_row(png, picture.row(y));
  png_write_end(png, info);
  return true;
}

/// \returns why it failed, or an empty text.
std::string writeToFile(const Picture &picture, std::FILE *file) {
  std::string message;
  png_structp png =
      png_create_write_struct(PNG_LIBPNG_VER_STRING, &message, keepMessage, ignoreWarning);
  png_infop info = png ? png_create_info_struct(png) : nullptr;
  if (!info)
    message = "libpng cannot be used";
  else if (!writeRows(png, info, picture, file) && message.empty())
    message = "libpng failed";
  png_destroy_write_struct(&png, &info);
  return message;
}

} // namespace

Error writePng(const Picture &picture, const std::string &path) {
  std::FILE *file = std::fopen(path.c_str(), "wbe");
  if (!file)
    return createStringError(path + ": " + sys::StrError());
  std::string message = writeToFile(picture, file);
  if (std::fclose(file) != 0 && message.empty())
    message = sys::StrError();
  if (message.empty())
    return Error::success();
  (void)std::remove(path.c_str());
  return createStringError(path + ": " + message);
}

Error writePresentedPicture(const Picture &picture, StringRef folder, uint32_t swapchain,
                            uint64_t frame) {
  if (std::error_code code = sys::fs::create_directories(folder))
    return createStringError(code, folder + ": " + code.message());
  std::string name;
  raw_string_ostream(name) << "swapchain" << swapchain << "-frame"
                           << format("%06llu", static_cast<unsigned long long>(frame)) << ".png";
  SmallString<128> path(folder);
  sys::path::append(path, name);
  return writePng(picture, path.str().str());
}

} // namespace icd
