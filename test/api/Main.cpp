//===- Main.cpp - kiln-api-tests: the Vulkan API, command by command ------===//
// SPDX-License-Identifier: MIT
#include "Gpu.h"

int main(int argc, char **argv) {
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
