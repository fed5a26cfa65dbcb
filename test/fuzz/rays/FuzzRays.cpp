//===- FuzzRays.cpp - fuzz target: structures and tables of rays ----------===//
// SPDX-License-Identifier: MIT
/// \file
/// Acceleration structures, shader binding tables and launches are memory of applications: a
/// structure may come from a file, as serialized by whoever, by way of the kernel that reads it
/// (icd_glue/rays/kernels/deserialize.comp). The input is all of them, for a
/// pipeline with shaders of every stage (shaders/all.glsl), which recurs. Whatever the input, a
/// launch ends or faults.
#include "lgc/AccelerationStructure.h"
#include "lgc/RayLaunch.h"
#include "llpc/RayTracing.h"
#include "pal_shim/device/Device.h"
#include <algorithm>
#include <bit>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <span>

// NOLINTBEGIN: words of shaders/all.glsl
#include "FuzzRaysShaders.inc"
// NOLINTEND

using namespace lgc::accel;
using namespace lgc::launch;

namespace {

constexpr const char *targets[] = {"gfx1100", "gfx1010", "gfx1030", "gfx1201"};
constexpr uint32_t groupStride = 64, groupCount = 8;

[[noreturn]] void fail(const char *what, const std::string &detail) {
  std::fprintf(stderr, "fuzz-rays: %s: %s\n", what, detail.c_str());
  std::abort();
}

/// As shaders/all.glsl has it.
struct Push {
  uint64_t top, results;
  float origin[4], direction[4];
  uint32_t flags, mask, offset, stride;
};

/// What an input begins with; structures follow.
struct Head {
  uint8_t target;
  uint8_t width, height, depth;
  uint32_t missStride, missSize, hitStride, hitSize, callableStride, callableSize;
  uint32_t isSerial; ///< odd: the structure of instances is deserialized
  Push push;
  uint64_t serialBytes, serialHandleCount;
  uint8_t records[groupCount * groupStride];
};

bool isWide(unsigned choice) {
  return llvm::StringRef(targets[choice % std::size(targets)]).starts_with("gfx12");
}
/// Where leaves are, how large an instance is, and where in it the structure's address.
struct InstanceLayout {
  uint32_t start, bytes, base;
};
constexpr uint32_t wideLeaves = widePlaces + wideNodeBytes; // behind the table of a few leaves
constexpr InstanceLayout layouts[] = {{leavesOffset, instanceBytes, instanceBase},
                                      {wideLeaves, wideInstanceBytes, wideInstanceBase}};

/// A valid input: a box of two instances, of a triangle and of an AABB.
constexpr uint32_t bottomAt[] = {1024, 2048};
constexpr uint32_t structureBytes = 3072;
constexpr size_t inputBytes = sizeof(Head) + structureBytes;

//===--- Device and pipeline ----------------------------------------------===//

struct Machine {
  std::unique_ptr<pal::device::SoftwareDevice> device;
  std::shared_ptr<const pal::device::Program> program, deserialize;
  std::unique_ptr<pal::device::Allocation> structures, records, results, launch, serial;
  uint32_t pushDword = 0, launchDword = 0;
};

llpc::RayTracingPipelineBuildInfo buildInfo() {
  struct Row {
    llpc::ShaderStage stage;
    llvm::ArrayRef<uint32_t> words;
  };
  const Row rows[] = {{llpc::ShaderStage::RayGen, rgen},      {llpc::ShaderStage::Miss, rmiss},
                      {llpc::ShaderStage::ClosestHit, rchit}, {llpc::ShaderStage::AnyHit, rahit},
                      {llpc::ShaderStage::Intersect, rint},   {llpc::ShaderStage::Callable, rcall}};
  llpc::RayTracingPipelineBuildInfo info;
  info.maxRecursionDepth = 3;
  info.options.optLevel = lgc::OptLevel::Quick;
  for (const Row &row : rows) {
    llpc::RayTracingShaderInfo &shader = info.shaders.emplace_back();
    shader.module = llvm::cantFail(llpc::Compiler::buildShaderModule(
        {reinterpret_cast<const uint8_t *>(row.words.data()), row.words.size() * 4}));
    shader.entryStage = row.stage;
    shader.id = static_cast<uint32_t>(info.shaders.size());
  }
  llvm::cantFail(llpc::applyAutoLayout(info));
  return info;
}

/// Push constants of the driver's kernels.
using Identity = std::array<uint32_t, 8>;
struct KernelArguments {
#define KILN_ARGUMENT(type, name) type name = {};
#include "icd_glue/rays/Arguments.def"
#undef KILN_ARGUMENT
};
#define KILN_SCRATCH(name, value) [[maybe_unused]] constexpr uint32_t name = value;
#include "icd_glue/rays/Scratch.def"
#undef KILN_SCRATCH

std::vector<uint8_t> kernelCode(const llpc::Compiler &compiler, bool isWide) {
  llpc::ComputePipelineBuildInfo info;
  info.cs.module = llvm::cantFail(llpc::Compiler::buildShaderModule(
      {reinterpret_cast<const uint8_t *>(deserializeSpirv), sizeof(deserializeSpirv)}));
  info.cs.entryStage = llpc::ShaderStage::Compute;
  info.cs.specialization.push_back({.constantId = 0, .size = 4, .value = isWide});
  lgc::ResourceNode &node = info.resourceMapping.roots.emplace_back();
  node.type = lgc::ResourceNodeType::PushConst;
  node.sizeInDwords = sizeof(KernelArguments) / 4;
  return llvm::cantFail(compiler.buildComputePipeline(info)).elf.bytes().vec();
}

Machine makeMachine(const char *target, bool isWide) {
  Machine machine;
  auto compiler = llvm::cantFail(llpc::Compiler::create({.target = target}));
  const llpc::RayTracingPipelineBuildInfo info = buildInfo();
  for (const lgc::ResourceNode &node : info.resourceMapping.roots)
    if (node.type == lgc::ResourceNodeType::PushConst)
      machine.pushDword = node.offsetInDwords;
  machine.launchDword = info.launchUserData;
  auto built = llvm::cantFail(compiler->buildRayTracingPipeline(info));
  pal::device::DeviceOptions options;
  options.target = target;
  options.threads = 1;
  options.instructionLimit = 300'000;
  machine.device = llvm::cantFail(pal::device::SoftwareDevice::create(options));
  machine.program = llvm::cantFail(machine.device->loadProgram(built.elf.bytes(), "rays"));
  auto allocate = [&](uint64_t bytes, const char *name) {
    return llvm::cantFail(machine.device->allocate({.size = bytes, .name = name}));
  };
  machine.structures = allocate(1 << 16, "structures");
  machine.records = allocate(sizeof(Head::records), "records");
  machine.results = allocate(64 * sizeof(uint32_t), "results");
  machine.launch = allocate(launchBytes, "launch");
  machine.deserialize =
      llvm::cantFail(machine.device->loadProgram(kernelCode(*compiler, isWide), "deserialize"));
  machine.serial = allocate(1 << 12, "serialized structure");
  return machine;
}

Machine &machineFor(unsigned choice) {
  static Machine machines[std::size(targets)];
  Machine &machine = machines[choice % std::size(targets)];
  if (!machine.device)
    machine = makeMachine(targets[choice % std::size(targets)], isWide(choice));
  return machine;
}

//===--- Launches ---------------------------------------------------------===//

/// Takes the structure of instances, whose memory ends where the next one begins, through its
/// serialized form, with addresses of the others.
void deserialize(Machine &machine, const Head &head) {
  uint8_t *memory = machine.structures->host(), *serial = machine.serial->host();
  std::memset(serial, 0, machine.serial->size());
  auto put = [&](uint32_t offset, uint64_t value) {
    std::memcpy(serial + offset, &value, sizeof(value));
  };
  put(serialSize, head.serialBytes);
  put(serialHandleCount, head.serialHandleCount);
  for (size_t i = 0; i < std::size(bottomAt); ++i)
    put(serialHandles + 8 * i, machine.structures->address() + bottomAt[i]);
  std::memcpy(serial + 2 * nodeGranule, memory, bottomAt[0]); // behind two handles
  std::memset(memory, 0, bottomAt[0]);
  const std::vector<uint8_t> others(memory + bottomAt[0], memory + structureBytes);
  KernelArguments arguments;
  arguments.structure = machine.structures->address();
  arguments.source = machine.serial->address();
  arguments.range = bottomAt[0];
  std::vector<uint32_t> userData(sizeof(arguments) / 4);
  std::memcpy(userData.data(), &arguments, sizeof(arguments));
  if (llvm::Error fault = machine.device->dispatch(
          {.program = machine.deserialize.get(), .groups = {1, 1, 1}, .userData = userData}))
    fail("deserializing leaves the structures", llvm::toString(std::move(fault)));
  if (!std::equal(others.begin(), others.end(), memory + bottomAt[0]))
    fail("deserializing writes behind the structure", "");
}

/// Instances refer to structures as offsets, which mutations keep near.
void relocate(Machine &machine, const Head &head, size_t size) {
  uint8_t *memory = machine.structures->host();
  const InstanceLayout &layout = layouts[isWide(head.target)];
  for (size_t at = layout.start; at + layout.bytes <= size && at < bottomAt[0];
       at += layout.bytes) {
    uint64_t base;
    std::memcpy(&base, memory + at + layout.base, sizeof(base));
    base += machine.structures->address() >> 3;
    std::memcpy(memory + at + layout.base, &base, sizeof(base));
  }
}

/// Addresses are those of the machine, or far away.
void launch(Machine &machine, Head head, llvm::ArrayRef<uint8_t> structures) {
  uint8_t *memory = machine.structures->host();
  const size_t size = std::min<size_t>(structures.size(), machine.structures->size());
  std::memset(memory, 0, machine.structures->size());
  std::copy_n(structures.begin(), size, memory);
  if (head.isSerial % 2)
    deserialize(machine, head);
  else
    relocate(machine, head, size);
  std::memcpy(machine.records->host(), head.records, sizeof(head.records));
  std::memset(machine.results->host(), 0, machine.results->size());
  uint8_t *block = machine.launch->host();
  auto put = [&](uint32_t offset, auto value) {
    std::memcpy(block + offset, &value, sizeof(value));
  };
  put(launchRayGen, machine.records->address());
  const uint32_t tables[][3] = {{launchMiss, head.missStride, head.missSize},
                                {launchHit, head.hitStride, head.hitSize},
                                {launchCallable, head.callableStride, head.callableSize}};
  for (const auto &[at, stride, bytes] : tables) {
    put(at + tableAddress, machine.records->address());
    put(at + tableStride, stride);
    put(at + tableSize, bytes);
  }
  // What the driver makes of it: workgroups of 8 x 4, one in a row.
  const uint32_t width = head.width % 9u, height = head.height % 9u, depth = head.depth % 3u;
  if (!width || !height || !depth)
    return;
  const uint32_t rows = height > 4 ? 2 : 1;
  const std::array<uint32_t, 10> sizes = {width,    height, depth, 3,        1,
                                          1u << 31, 31,     rows,  1u << 31, 30 + rows};
  static_assert(sizeof(sizes) == launchBytes - launchSize);
  put(launchSize, sizes);

  head.push.top += machine.structures->address();
  head.push.results = machine.results->address();
  std::vector<uint32_t> userData(machine.launchDword + 2);
  std::memcpy(userData.data() + machine.pushDword, &head.push, sizeof(head.push));
  const uint64_t address = machine.launch->address();
  std::memcpy(userData.data() + machine.launchDword, &address, sizeof(address));
  const pal::device::DispatchInfo info{
      .program = machine.program.get(), .groups = {rows * depth, 1, 1}, .userData = userData};
  if (llvm::Error fault = machine.device->dispatch(info)) {
    if (!fault.isA<pal::device::DeviceFault>())
      fail("a launch fails with another error than a fault", llvm::toString(std::move(fault)));
    llvm::consumeError(std::move(fault));
  }
}

//===--- A valid input ----------------------------------------------------===//

template <typename T> void put(uint8_t *to, uint32_t offset, T value) {
  std::memcpy(to + offset, &value, sizeof(value));
}

constexpr float corners[] = {-1, -1, 0, 3, -1, 0, -1, 3, 0}, box[] = {-1, -1, -1, 1, 1, 1};

/// A root with these leaves, all as large as that box.
void putStructure(uint8_t *to, uint32_t kind, uint32_t leafType, uint32_t leaves, uint32_t bytes) {
  put(to, headerMagic, structureMagic);
  put(to, headerKind, kind);
  put(to, headerLeafCount, leaves);
  put(to, headerActiveCount, leaves);
  put(to, headerBoxCount, 1u);
  uint8_t *root = to + rootOffset;
  for (uint32_t i = 0; i < boxChildren; ++i) {
    put(root, boxChildId + 4 * i,
        i < leaves ? ((leavesOffset + i * bytes) >> 3 | leafType) : nodeNone);
    for (uint32_t axis = 0; axis < 6; ++axis)
      put(root, boxChildBounds + i * boxBoundsStride + 4 * axis, axis < 3 ? -2.0f : 2.0f);
  }
}

void putStructures(uint8_t *top) {
  putStructure(top, kindInstances, nodeInstance, 2, instanceBytes);
  for (uint32_t i = 0; i < 2; ++i) {
    uint8_t *instance = top + leavesOffset + size_t(i) * instanceBytes;
    put(instance, instanceBase, uint64_t(bottomAt[i] >> 3));
    put(instance, instanceCustomIndex, 0xff000000u);
    put(instance, instanceSbtOffset, i | instanceNotForcedNonOpaque);
    put(instance, instanceIndex, i);
    for (uint32_t axis = 0; axis < 3; ++axis)
      for (uint32_t rows : {instanceWorldToObject, instanceObjectToWorld})
        put(instance, rows + 20 * axis, 1.0f);
    uint8_t *bottom = top + bottomAt[i];
    putStructure(bottom, i ? kindAabbs : kindTriangles, i ? nodeAabb : nodeTriangle, 1, leafBytes);
    const std::span<const float> points = i ? std::span<const float>(box) : corners;
    std::memcpy(bottom + leavesOffset, points.data(), points.size_bytes());
    put(bottom + leavesOffset, leafGeometry, geometryOpaque);
    put(bottom + leavesOffset, triangleId, triangleIdPlain | triangleIdOpaque);
  }
}

/// The same with gfx12's nodes.
void putWideStructure(uint8_t *to, uint32_t kind, uint32_t leafType, uint32_t leaves,
                      uint32_t bytes) {
  put(to, headerMagic, wideMagic);
  put(to, headerKind, kind);
  put(to, headerLeafCount, leaves);
  put(to, headerLeavesStart, wideLeaves / nodeGranule);
  uint8_t *root = to + rootOffset;
  put(root, wideLeafBase, wideLeaves >> 3);
  for (uint32_t axis = 0; axis < 3; ++axis)
    put(root, wideOrigin + 4 * axis, -2.0f);
  put(root, wideExponents, 0x818181u | (leaves - 1) << wideCountShift); // 4 in each direction
  for (uint32_t i = 0; i < leaves; ++i) {
    put(to, widePlaces + 4 * i, (wideLeaves + i * bytes) >> 3 | leafType);
    put(root, wideChild + wideChildBytes * i + 4, 0xFFFFF000u);
    put(root, wideChild + wideChildBytes * i + 8,
        0xFFFFFFu | leafType << 24 | bytes / wideNodeBytes << 28);
  }
}

void putWideStructures(uint8_t *top) {
  putWideStructure(top, kindInstances, nodeInstance, 2, wideInstanceBytes);
  for (uint32_t i = 0; i < 2; ++i) {
    uint8_t *instance = top + wideLeaves + size_t(i) * wideInstanceBytes;
    put(instance, wideInstanceBase, uint64_t(bottomAt[i] >> 3));
    put(instance, wideInstanceUser, 0xff000000u | i);
    put(instance, wideInstanceFlags, i | instanceNotForcedNonOpaque);
    put(instance, wideInstanceIndex, i);
    for (uint32_t axis = 0; axis < 3; ++axis)
      for (uint32_t rows : {wideInstanceWorldToObject, wideInstanceObjectToWorld})
        put(instance, rows + 20 * axis, 1.0f);
    uint8_t *bottom = top + bottomAt[i], *leaf = bottom + wideLeaves;
    putWideStructure(bottom, i ? kindAabbs : kindTriangles, nodeTriangle, 1, wideNodeBytes);
    put(leaf, 0, i ? wideAabbHead : wideTriangleHead);
    const std::span<const float> points = i ? std::span<const float>(box) : corners;
    uint32_t before = wideIdHead, at = wideVertexWord;
    for (float x : points) {
      const auto bits = std::bit_cast<uint32_t>(x);
      put(leaf, at, before | bits << wideVertexShift);
      before = bits >> (32 - wideVertexShift), at += 4;
    }
    put(leaf, at, before);
    put(leaf, widePair, ((i ? widePairAabb : widePairTriangle) | widePairOpaque) << 3);
  }
}

void putValid(uint8_t *data, unsigned choice) {
  Head head = {};
  head.target = static_cast<uint8_t>(choice);
  head.width = head.height = 2;
  head.depth = 1;
  // One table for all: records of miss, hit and callable shaders behind that of ray generation.
  head.missStride = head.hitStride = head.callableStride = groupStride;
  head.missSize = head.hitSize = head.callableSize = sizeof(head.records);
  head.push.origin[2] = 1.5f;
  head.push.direction[2] = -1;
  head.push.direction[3] = 10;
  head.push.mask = 0xff;
  head.push.offset = 2;
  head.isSerial = choice / std::size(targets);
  head.serialBytes = bottomAt[0];
  head.serialHandleCount = std::size(bottomAt);
  const uint32_t ids[groupCount][3] = {{1}, {2}, {3, 4}, {3, 4, 5}, {6}, {2}, {3}, {6}};
  for (uint32_t i = 0; i < groupCount; ++i) {
    std::memcpy(head.records + size_t(i) * groupStride, ids[i], sizeof(ids[i]));
    put(head.records, i * groupStride + recordData, i == 3 ? 4u : 0u);
  }
  std::memcpy(data, &head, sizeof(head));
  uint8_t *top = data + sizeof(Head);
  std::memset(top, 0, structureBytes);
  (isWide(choice) ? putWideStructures : putStructures)(top);
}

} // namespace

extern "C" size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t maxSize);

/// Begins with what is valid: random bytes are no structure. Whole words more often than else.
extern "C" size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t maxSize,
                                          unsigned seed) {
  if (maxSize >= inputBytes && (size < sizeof(Head) || seed % 16 == 0)) {
    putValid(data, seed / 16);
    size = inputBytes;
  }
  if (size < sizeof(Head) || seed % 3 == 0)
    return LLVMFuzzerMutate(data, size, maxSize);
  const size_t at = (seed >> 8) % (size / 4) * 4, from = (seed >> 4) % (size / 4) * 4;
  uint32_t word;
  std::memcpy(&word, data + from, sizeof(word));
  if (seed % 5)
    word = seed % 2 ? word ^ 1u << (seed >> 5) % 32 : word + 8;
  std::memcpy(data + at, &word, sizeof(word));
  return size;
}

/// What is valid must hit: else nothing here is tested.
extern "C" int LLVMFuzzerInitialize(int *, char ***) {
  std::vector<uint8_t> bytes(inputBytes);
  for (unsigned choice = 0; choice < 2 * std::size(targets); ++choice) {
    putValid(bytes.data(), choice);
    Head head;
    std::memcpy(&head, bytes.data(), sizeof(head));
    // Number of the closest hit's record, so that hits and misses differ.
    put(head.records, 2 * groupStride + recordData, 4000u);
    Machine &machine = machineFor(choice);
    launch(machine, head, llvm::ArrayRef(bytes).drop_front(sizeof(head)));
    uint32_t first;
    std::memcpy(&first, machine.results->host(), sizeof(first));
    if (first < 4000)
      fail("the valid input hits nothing", targets[choice % std::size(targets)]);
  }
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size < sizeof(Head))
    return 0;
  Head head;
  std::memcpy(&head, data, sizeof(head));
  launch(machineFor(head.target), head, llvm::ArrayRef(data, size).drop_front(sizeof(head)));
  return 0;
}
