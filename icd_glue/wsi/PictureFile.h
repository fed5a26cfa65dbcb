//===- PictureFile.h - presented images as PNG files ----------------------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "icd_glue/wsi/Window.h"
#include <string>

namespace icd {

/// Writes a picture as a PNG file of red, green and blue with 8 bits each, in place of a file that
/// is there. After an error, which names the file, there is none.
llvm::Error writePng(const Picture &picture, const std::string &path);

/// Writes presented image number \p frame of swapchain number \p swapchain into \p folder, which is
/// made if necessary: "swapchain0-frame000012.png".
llvm::Error writePresentedPicture(const Picture &picture, llvm::StringRef folder,
                                  uint32_t swapchain, uint64_t frame);

} // namespace icd
