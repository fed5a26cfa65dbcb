//===- Main.cpp - kiln-farm -----------------------------------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Many pipelines on many machines; docs/farm.md.
#include "Commands.h"
#include "tools/cli/Arguments.h"

int main(int argc, char **argv) {
  if (cli::printVersion("kiln-farm", cli::argumentsOf(argc, argv)))
    return 0;
  return farm::mainOf(cli::argumentsOf(argc, argv));
}
