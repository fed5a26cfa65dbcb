//===- SimFileTest.cpp - runs of kernels from text ------------------------===//
// SPDX-License-Identifier: MIT
#include "tools/cl/SimFile.h"
#include "lgc/CompileError.h"
#include <gtest/gtest.h>

using namespace kiln_cl;

namespace {

const SimParameter buffer{"p", "int*", llpc::KernelArgumentKind::GlobalPointer};

/// The elements of an argument, or the message.
std::string read(const std::string &text, const SimParameter &parameter = buffer) {
  SimReader reader(text);
  auto argument = reader.readArgument(parameter);
  if (!argument)
    return lgc::consumeToText(argument.takeError()).message;
  if (llvm::Error error = reader.readEnd())
    return lgc::consumeToText(std::move(error)).message;
  std::string elements;
  for (size_t at = 0; at < argument->bytes.size(); at += bytesOf(argument->type))
    elements += textOf(argument->type, &argument->bytes[at]) + " ";
  return elements;
}

TEST(SimFile, Numbers) {
  EXPECT_EQ(read("<size=8> 1 -2"), "1 -2 ");
  EXPECT_EQ(read("# before\n<size=8 float>\n1.5 # behind\n\n-2"), "1.5 -2 ");
  EXPECT_EQ(read("<size=4 hex> ff"), "255 ");
  EXPECT_EQ(read("<size=4 uint> 4294967295"), "4294967295 ");
  EXPECT_EQ(read("<size=2 char> -128 127"), "-128 127 ");
  EXPECT_EQ(read("<size=8 ulong> 18446744073709551615"), "18446744073709551615 ");
  EXPECT_EQ(read("<size=4>1", {"n", "float4", llpc::KernelArgumentKind::Value}), "1 ");
}

TEST(SimFile, FillsAndRanges) {
  EXPECT_EQ(read("<size=12 fill=-7>"), "-7 -7 -7 ");
  EXPECT_EQ(read("<size=12 range=5:-3:-1>"), "5 2 -1 ");
  EXPECT_EQ(read("<size=12 range=0:0.1:0.2 float>"), "0 0.1 0.2 ");
  EXPECT_EQ(read("<size=3 range=250:3:256 uchar>"), "line 1: argument p: '250:3:256' does not fit");
  EXPECT_EQ(read("<size=12 range=0:1:3>"), "line 1: argument p: '0:1:3' does not fit");
  EXPECT_EQ(read("<size=8 noinit>"), "0 0 ");
  EXPECT_EQ(read("<null>"), "");
  EXPECT_EQ(read("<size=64>", {"l", "float*", llpc::KernelArgumentKind::LocalPointer}).size(),
            128u); // no numbers
}

TEST(SimFile, Mistakes) {
  EXPECT_EQ(read("1 2"), "line 1: expected a header <...>");
  EXPECT_EQ(read("<size=4"), "line 1: the header has no '>'");
  EXPECT_EQ(read("<int> 4"), "line 1: argument p: size=BYTES is missing");
  EXPECT_EQ(read("<size=3> 4"), "line 1: argument p: the size is no multiple of the type's");
  EXPECT_EQ(read("<size=8>\n4"), "line 2: the file ends where a number should be");
  EXPECT_EQ(read("<size=4> 4 5"), "line 1: '5' behind the last argument");
  EXPECT_EQ(read("<size=1 char> 128000"), "line 1: '128000' is no char");
  EXPECT_EQ(read("<size=4 colour> 1"), "line 1: argument p: 'colour' is no word of headers");
  EXPECT_EQ(read("<size=99999999999>"), "line 1: argument p: more than 1073741824 bytes");
  EXPECT_EQ(read("<size=8 fill=>"), "line 1: argument p: '' does not fit");
  EXPECT_EQ(read("<null size=4>"), "line 1: argument p: null goes with nothing else");
  EXPECT_EQ(read("<size=4 dump> 1", {"n", "int", llpc::KernelArgumentKind::Value}),
            "line 1: argument n: dump is for buffers");
  EXPECT_EQ(read("<size=4> 1", {"n", "", llpc::KernelArgumentKind::Value}),
            "line 1: argument n: the header must say the type of the numbers");
}

TEST(SimFile, ImagesAndSamplers) {
  SimParameter image{"i", "", llpc::KernelArgumentKind::Image};
  EXPECT_EQ(read("<image=2x1 order=rg channel=unorm8> 1 2 3 255", image), "1 2 3 255 ");
  EXPECT_EQ(read("<image=1x2 order=r channel=sint16 fill=-3 dump>", image), "-3 -3 ");
  EXPECT_EQ(read("<image=2 order=r channel=float fill=0>", image),
            "line 1: argument i: image= has 1 numbers, expected 2");
  EXPECT_EQ(read("<image=2x0 order=r channel=float fill=0>", image),
            "line 1: argument i: 'image=2x0' is no word of headers");
  EXPECT_EQ(read("<image=2x2 order=rgb channel=float fill=0>", image),
            "line 1: argument i: 'order=rgb' is no word of headers");
  EXPECT_EQ(read("<image=2x2 channel=float fill=0>", image),
            "line 1: argument i: an image has image=, order=, channel=, no size and no type");
  image.dim = llpc::KernelImageDim::Dim3D;
  EXPECT_EQ(read("<image=1x1x2 order=r channel=half> 15360 0", image), "15360 0 ");
  const SimParameter sampler{"s", "", llpc::KernelArgumentKind::Sampler};
  EXPECT_EQ(read("<sampler=linear,repeat,normalized>", sampler), "");
  EXPECT_EQ(read("<sampler=linear,far>", sampler),
            "line 1: argument s: 'linear,far' is no sampler");
  EXPECT_EQ(read("<size=4>", sampler),
            "line 1: argument s: a sampler has sampler= and nothing else");
  EXPECT_EQ(read("<sampler=linear>"), "line 1: argument p: 'linear' is no word of headers");
}

TEST(SimFile, Launches) {
  SimReader reader("a.cl k\n8 4 1\n4 2 1\n");
  auto launch = reader.readLaunch();
  ASSERT_TRUE(bool(launch));
  EXPECT_EQ(launch->program, "a.cl");
  EXPECT_EQ(launch->global, (std::array<uint32_t, 3>{8, 4, 1}));
  EXPECT_EQ(launch->local, (std::array<uint32_t, 3>{4, 2, 1}));
  for (const char *text : {"", "a.cl k 8", "a.cl k 8 4 1 0 1 1", "a.cl k 8 4 1 3 1 1"}) {
    SimReader wrong(text);
    auto result = wrong.readLaunch();
    ASSERT_FALSE(result) << text;
    llvm::consumeError(result.takeError());
  }
}

} // namespace
