// SPDX-License-Identifier: MIT
// Vertex buffers as AMD's driver binds them: where it has robustBufferAccess2, entries of the table
// are {address, upper half, bytes, stride}, of which shaders make descriptors; with dynamic vertex
// input, attributes are described in memory.
#include "lgc/TaskView.h"
#include "lgc/UberFetch.h"
#include "llpc/Formats.h"
#include "llpc/Parts.h"
#include "pal_shim/abi/TargetInfo.h"
#include "pal_shim/srd/Srd.h"
#include "test/options/Harness.h"

namespace options {
namespace {

using namespace pal::device;

constexpr uint32_t vertexCount = 40, instanceCount = 5, dwordsPerRow = 16;

struct AttributeCase {
  uint32_t location, binding, offset;
  const char *format;
  uint32_t channels, channelBytes;
};
/// Loaded as they are, typed, in pieces, and bytes that are not aligned to what is loaded.
constexpr AttributeCase attributes[] = {
    {0, 0, 4, "VK_FORMAT_R32G32B32A32_UINT", 4, 4},
    {1, 0, 22, "VK_FORMAT_R16G16B16_UINT", 3, 2},
    {2, 0, 29, "VK_FORMAT_R8G8_UINT", 2, 1},
    {3, 1, 0, "VK_FORMAT_R16G16B16A16_UINT", 4, 2},
};

constexpr const char *vertexShader = R"(
layout(location = 0) in uvec4 a0;
layout(location = 1) in uvec4 a1;
layout(location = 2) in uvec4 a2;
layout(location = 3) in uvec4 a3;
layout(std430, binding = 0) buffer B { uvec4 b[]; };
void main() {
  const uint row = 4 * (gl_InstanceIndex * 40 + gl_VertexIndex);
  b[row] = a0;
  b[row + 1] = a1;
  b[row + 2] = a2;
  b[row + 3] = a3;
  gl_Position = vec4(0);
})";

struct Table {
  std::array<uint32_t, 2> strides, bytes;
};

constexpr Table tables[] = {
    {{36, 8}, {36 * 40, 8 * 5}},              // all there
    {{36, 8}, {36 * 20 + 19, 3 * 8 + 7}},     // one byte is missing of what has four channels
    {{36, 8}, {36 * 20 + 20, 8}},             // it is there, what follows is not
    {{36, 8}, {36 * 20 + 30, 0}},             // half of a pair
    {{0, 0}, {64, 8}},                        // one element for all
    {{0x20000000, 0x80000000}, {4096, 4096}}, // products that do not fit 32 bits
};

class VertexInput : public OptionsTest {
protected:
  VertexInput() {
    uint32_t number = 1;
    Words words(1024);
    for (uint32_t &word : words)
      word = number = number * 1664525 + 1013904223;
    vertices = allocate(words);
  }

  llpc::GraphicsPipelineBuildInfo inputInfo() {
    llpc::GraphicsPipelineBuildInfo info;
    info.vertexInput.bindings = {{.binding = 0, .stride = 36},
                                 {.binding = 1,
                                  .stride = 8,
                                  .inputRate = lgc::VertexInputRate::Instance,
                                  .divisor = divisor}};
    for (const AttributeCase &each : attributes)
      info.vertexInput.attributes.push_back(
          {each.location, each.binding, *llpc::findVkFormat(each.format), each.offset});
    info.iaState.topology = lgc::Topology::PointList;
    info.rsState.rasterizerDiscardEnable = true;
    info.vs.module = module(vertexShader, "vert");
    return info;
  }

  /// What the shader read, a row of 16 dwords for each vertex of each instance.
  /// \p more: of the root, behind the address.
  Words draw(const Program *program, const Words &entries, const Words &more = {}) {
    const auto table = allocate(entries, Heap::DescriptorTables);
    const auto memory = allocate(Words(vertexCount * instanceCount * dwordsPerRow));
    Words root = addressOf(*memory);
    root.insert(root.end(), more.begin(), more.end());
    DrawInfo draw;
    draw.program = program;
    draw.userData = root;
    draw.vertexBufferTable = table->address();
    draw.input.topology = PrimitiveTopology::PointList;
    draw.range.vertexCount = vertexCount;
    draw.range.instanceCount = instanceCount;
    draw.raster.rasterizerDiscard = true;
    draw.raster.renderArea = {0, 0, 1, 1};
    if (llvm::Error fault = device->draw(draw))
      ADD_FAILURE() << llvm::toString(std::move(fault));
    return wordsOf(*memory);
  }

  Words tableOf(const Table &table) const {
    Words entries;
    for (unsigned i = 0; i < 2; ++i)
      for (uint32_t word : {uint32_t(vertices->address()), uint32_t(vertices->address() >> 32),
                            table.bytes[i], table.strides[i]})
        entries.push_back(word);
    return entries;
  }

  /// By the rules of robustBufferAccess2: what does not lie wholly inside is zero.
  Words expected(const Table &table) const {
    Words result;
    for (uint32_t instance = 0; instance < instanceCount; ++instance)
      for (uint32_t vertex = 0; vertex < vertexCount; ++vertex)
        for (const AttributeCase &each : attributes) {
          const uint64_t index = each.binding ? divisor ? instance / divisor : 0 : vertex;
          const uint64_t first = index * table.strides[each.binding] + each.offset;
          const bool isInside =
              first + each.channels * each.channelBytes <= table.bytes[each.binding];
          for (uint32_t i = 0; i < 4; ++i) {
            uint32_t value = i == 3;
            if (i < each.channels)
              value = 0;
            if (i < each.channels && isInside)
              std::memcpy(&value, vertices->host() + first + i * each.channelBytes,
                          each.channelBytes);
            result.push_back(value);
          }
        }
    return result;
  }

  uint32_t divisor = 1;
  std::unique_ptr<Allocation> vertices;
};

TEST_P(VertexInput, SoftwareDescriptors) {
  for (const uint32_t by : {0u, 1u, 2u}) {
    divisor = by;
    llpc::GraphicsPipelineBuildInfo info = inputInfo();
    info.useSoftwareVertexBufferDescriptors = true;
    info.dynamicVertexStride = by == 2;
    const auto program = build(info);
    ASSERT_TRUE(program);
    for (const Table &table : tables) {
      SCOPED_TRACE(table.bytes[0]);
      SCOPED_TRACE(table.strides[0]);
      EXPECT_EQ(draw(program.get(), tableOf(table)), expected(table));
    }
  }
}

// Buffers that are not bound are {0, 0, 0, 0}.
TEST_P(VertexInput, UnboundSoftwareDescriptors) {
  llpc::GraphicsPipelineBuildInfo info = inputInfo();
  info.useSoftwareVertexBufferDescriptors = info.enableRobustUnboundVertex = true;
  const auto program = build(info);
  ASSERT_TRUE(program);
  const Words seen = draw(program.get(), Words(8));
  for (size_t i = 0; i < seen.size(); ++i)
    EXPECT_EQ(seen[i], i % 4 == 3) << i;
}

//===--- Attributes that memory describes ---------------------------------===//

using pal::formats::Format;

/// A format as the driver knows it: one load, and loads of components.
struct UberFormat {
  Format whole, part;
  uint32_t channels, channelBytes, alignment;
  bool isPacked = true, isBgra = false;
};

class UberFetch : public VertexInput {
protected:
  /// Word 3 of a V# of \p format.
  uint32_t word3(Format format, uint32_t channels, bool isBgra) const {
    using Select = pal::srd::Select;
    constexpr Select selects[] = {Select::X, Select::Y, Select::Z, Select::W};
    pal::srd::BufferSrdInfo srd;
    srd.address = vertices->address();
    srd.sizeBytes = ~0u;
    srd.stride = 16;
    srd.format = format;
    srd.outOfBounds = isSoftware ? pal::srd::OutOfBounds::Raw : pal::srd::OutOfBounds::IndexOnly;
    for (uint32_t i = 0; i < 4; ++i)
      srd.swizzle[i] = i < channels ? selects[isBgra && i < 3 ? 2 - i : i]
                       : i == 3     ? Select::One
                                    : Select::Zero;
    uint32_t words[4];
    pal::srd::buildBufferSrd(*pal::abi::findTarget(target), srd, words);
    return words[3];
  }

  void describe(uint32_t location, uint32_t binding, uint32_t offset, const UberFormat &format) {
    const uint32_t stride = binding ? strides[1] : strides[0];
    const bool isAligned = stride % format.alignment == 0 && offset % format.alignment == 0;
    const bool isPacked = format.isPacked && (isAligned || format.part == Format::Undefined);
    const bool isInstance = binding == 1;
    description[location / 32] |= 1u << location % 32;
    uint32_t *entry = description.data() + 2 + 4 * location;
    entry[0] = binding | uint32_t(isInstance) << 8 | uint32_t(isPacked) << 10 |
               format.channelBytes << 12 | ((1u << format.channels) - 1) << 16 |
               uint32_t(format.isBgra) << 20;
    entry[1] = offset;
    entry[2] = isInstance ? divisor : 0;
    const bool isWide = format.channelBytes == 8;
    if (isPacked)
      entry[3] = word3(format.whole, format.channels ? format.channels : 4, format.isBgra);
    else
      entry[3] = word3(isWide ? format.whole : format.part, isWide ? 2 : 1, false);
  }

  llpc::GraphicsPipelineBuildInfo uberInfo(const char *text) {
    llpc::GraphicsPipelineBuildInfo info = inputInfo();
    info.vertexInput = {};
    info.enableUberFetchShader = true;
    info.useSoftwareVertexBufferDescriptors = isSoftware;
    info.vs.module = module(text, "vert");
    // In front of what setCommon() adds.
    lgc::ResourceNode pointer, memory;
    memory.type = lgc::ResourceNodeType::InlineBuffer;
    memory.set = lgc::internalSet;
    memory.binding = lgc::uberFetchBinding;
    memory.sizeInDwords = uint32_t(description.size());
    pointer.type = lgc::ResourceNodeType::DescriptorTableVaPtr;
    pointer.sizeInDwords = 1;
    pointer.offsetInDwords = 2;
    pointer.table = {memory};
    info.resourceMapping.roots = {pointer};
    return info;
  }

  /// As draw(), with the description.
  Words drawDescribed(const Program *program, const Words &entries) {
    const auto memory = allocate(description, Heap::DescriptorTables);
    return draw(program, entries, {uint32_t(memory->address())});
  }

  bool isSoftware = false;
  std::array<uint32_t, 2> strides = {36, 8};
  Words description = Words(2 + 64 * 4);
};

constexpr UberFormat uintFormats[] = {
    {Format::X32Y32Z32W32_Uint, Format::X32_Uint, 4, 4, 4},
    {Format::X16_Uint, Format::X16_Uint, 3, 2, 2, false},
    {Format::X8Y8_Uint, Format::X8_Uint, 2, 1, 2},
    {Format::X16Y16Z16W16_Uint, Format::X16_Uint, 4, 2, 4},
};

TEST_P(UberFetch, SoftwareDescriptors) {
  isSoftware = true;
  const auto program = [&] {
    llpc::GraphicsPipelineBuildInfo info = uberInfo(vertexShader);
    return build(info);
  }();
  ASSERT_TRUE(program);
  for (const uint32_t by : {0u, 1u, 2u}) {
    divisor = by;
    for (const AttributeCase &each : attributes)
      describe(each.location, each.binding, each.offset, uintFormats[each.location]);
    for (const Table &table : tables) {
      SCOPED_TRACE(table.bytes[0]);
      SCOPED_TRACE(table.strides[0]);
      EXPECT_EQ(drawDescribed(program.get(), tableOf(table)), expected(table));
    }
  }
}

/// Descriptors of the driver, by elements.
Words descriptorsOf(const pal::abi::GpuTarget &target, GpuAddress address,
                    const std::array<uint32_t, 2> &strides, const std::array<uint32_t, 2> &bytes) {
  Words words(8);
  for (unsigned i = 0; i < 2; ++i) {
    pal::srd::BufferSrdInfo srd;
    srd.address = address;
    srd.sizeBytes = bytes[i];
    srd.stride = strides[i];
    srd.outOfBounds = pal::srd::OutOfBounds::IndexOnly;
    pal::srd::buildBufferSrd(target, srd, words.data() + 4 * i);
  }
  return words;
}

TEST_P(UberFetch, HardwareDescriptors) {
  llpc::GraphicsPipelineBuildInfo info = uberInfo(vertexShader);
  const auto program = build(info);
  ASSERT_TRUE(program);
  const pal::abi::GpuTarget &gpu = *pal::abi::findTarget(target);
  for (const AttributeCase &each : attributes)
    describe(each.location, each.binding, each.offset, uintFormats[each.location]);
  for (const Table &table : {Table{{36, 8}, {36 * 40, 8 * 5}}, Table{{36, 8}, {36 * 20, 8 * 3}}})
    EXPECT_EQ(drawDescribed(program.get(),
                            descriptorsOf(gpu, vertices->address(), table.strides, table.bytes)),
              expected(table));
  // A location without an attribute, and one at whose place nothing is.
  description[0] = 0b1001;
  std::memset(description.data() + 2 + 4, 0xFF, 32);
  Words wanted = expected({{36, 8}, {36 * 40, 8 * 5}});
  for (size_t i = 0; i < wanted.size(); ++i)
    if (i / 4 % 4 == 1 || i / 4 % 4 == 2)
      wanted[i] = 0;
  EXPECT_EQ(drawDescribed(program.get(),
                          descriptorsOf(gpu, vertices->address(), {36, 8}, {36 * 40, 8 * 5})),
            wanted);
}

constexpr const char *mixedShader = R"(
layout(location = 0) in vec4 a0;
layout(location = 1) in vec4 a1;
layout(location = 33) in dvec3 a33;
layout(location = 63) in vec2 a63;
layout(std430, binding = 0) buffer B { uvec4 b[]; };
void main() {
  const uint row = 4 * (gl_InstanceIndex * 40 + gl_VertexIndex);
  b[row] = floatBitsToUint(a0);
  b[row + 1] = floatBitsToUint(a1);
  b[row + 2] = uvec4(unpackDouble2x32(a33.x), unpackDouble2x32(a33.y));
  b[row + 3] = uvec4(unpackDouble2x32(a33.z), floatBitsToUint(a63));
  gl_Position = vec4(0);
})";

TEST_P(UberFetch, OtherFormats) {
  const UberFormat bgra = {Format::X8Y8Z8W8_Unorm, Format::X8_Unorm, 4, 1, 4, true, true};
  const UberFormat packed = {Format::X10Y10Z10W2_Unorm, Format::Undefined, 0, 0, 4};
  const UberFormat wide = {Format::X32Y32_Uint, Format::X32_Uint, 3, 8, 4, false};
  const UberFormat snorm = {Format::X16Y16_Snorm, Format::X16_Snorm, 2, 2, 4};
  const uint32_t lastBytes = 36 * 39 + 36;
  for (const bool software : {false, true})
    for (const uint32_t offset : {0u, 1u}) { // packed, and by components
      SCOPED_TRACE(offset);
      isSoftware = software;
      llpc::GraphicsPipelineBuildInfo info = uberInfo(mixedShader);
      const auto program = build(info);
      ASSERT_TRUE(program);
      std::fill(description.begin(), description.end(), 0);
      describe(0, 0, offset, bgra);
      describe(1, 0, 4, packed);
      describe(33, 0, 12, wide);
      describe(34, 0, 12 + 16, wide);
      describe(63, 0, 8 + 2 * offset, snorm);
      const Words entries = software ? tableOf({{36, 8}, {lastBytes, 0}})
                                     : descriptorsOf(*pal::abi::findTarget(target),
                                                     vertices->address(), {36, 8}, {lastBytes, 8});
      const Words seen = drawDescribed(program.get(), entries);
      for (uint32_t i = 0; i < vertexCount * instanceCount; ++i) {
        const uint8_t *at = vertices->host() + 36 * (i % vertexCount);
        uint32_t word = 0;
        std::memcpy(&word, at + 4, 4);
        int16_t pair[2];
        std::memcpy(pair, at + 8 + 2 * offset, 4);
        uint32_t row[16] = {};
        for (uint32_t k = 0; k < 4; ++k)
          row[k] = bitsOf(at[offset + (k < 3 ? 2 - k : 3)] / 255.f);
        for (uint32_t k = 0; k < 4; ++k)
          row[4 + k] = bitsOf(k == 3 ? (word >> 30) / 3.f : (word >> 10 * k & 1023) / 1023.f);
        std::memcpy(row + 8, at + 12, 24);
        for (uint32_t k = 0; k < 2; ++k)
          row[14 + k] = bitsOf(std::max(pair[k] / 32767.f, -1.f));
        EXPECT_EQ(Words(seen.begin() + 16 * i, seen.begin() + 16 * i + 16), Words(row, row + 16))
            << i;
      }
    }
}

// A part reads the description, too, wherever the pointer to it is in the application's layout.
TEST_P(UberFetch, Part) {
  isSoftware = true;
  llpc::GraphicsPipelineBuildInfo info = uberInfo(vertexShader);
  setCommon(info);
  auto built = compiler->buildPart(info, lgc::PartKind::PreRasterization);
  ASSERT_TRUE(bool(built)) << lgc::consumeToText(built.takeError()).message;
  EXPECT_EQ(built->directRefusal, "");
  auto part = lgc::Part::create(built->elf.bytes());
  ASSERT_TRUE(bool(part)) << lgc::consumeToText(part.takeError()).message;
  EXPECT_FALSE((*part)->info().fetch);
  lgc::ResourceMapping mapping = info.resourceMapping;
  mapping.roots[1].offsetInDwords = 7;
  auto linked =
      lgc::linkParts({.preRasterization = part->get()}, lgc::LinkLayout(mapping),
                     {.pipelineHash = {1, 1}, .outputPrimitive = llpc::outputPrimitiveOf(info)});
  ASSERT_TRUE(bool(linked)) << lgc::consumeToText(linked.takeError()).message;
  const auto program = llvm::cantFail(device->loadProgram(*linked, "linked"));
  for (const AttributeCase &each : attributes)
    describe(each.location, each.binding, each.offset, uintFormats[each.location]);
  const auto memory = allocate(description, Heap::DescriptorTables);
  const Words more = {0, 0, 0, 0, 0, uint32_t(memory->address())};
  EXPECT_EQ(draw(program.get(), tableOf(tables[1]), more), expected(tables[1]));
}

// Attributes that vertexInput has are not read anywhere else.
TEST_P(UberFetch, IsOffWithVertexInput) {
  llpc::GraphicsPipelineBuildInfo info = inputInfo();
  info.enableUberFetchShader = info.useSoftwareVertexBufferDescriptors = true;
  const auto program = build(info);
  ASSERT_TRUE(program);
  EXPECT_EQ(draw(program.get(), tableOf(tables[0])), expected(tables[0]));
}

INSTANTIATE_TEST_SUITE_P(Targets, UberFetch, allParameters(), nameOf);
INSTANTIATE_TEST_SUITE_P(Targets, VertexInput, allParameters(), nameOf);

} // namespace
} // namespace options
