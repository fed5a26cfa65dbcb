//===- Harness.cpp - compile, link, execute -------------------------------===//
// SPDX-License-Identifier: MIT
#include "Harness.h"
#include "lgc/CompileError.h"
#include "lgc/Shader.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/SourceMgr.h"
#include <cstring>

using namespace llvm;
using lgc::ResourceMapping;
using lgc::ResourceNode;
using lgc::ResourceNodeType;

namespace randomlink {

Expected<lgc::CompileResult> Compiler::compileWith(lgc::Tier with, const std::string &text,
                                                   lgc::PipelineState state) {
  LLVMContext context;
  SMDiagnostic diagnostic;
  std::unique_ptr<Module> module = parseAssemblyString(text, diagnostic, context);
  if (!module)
    return lgc::internalError("the generator wrote wrong IR: " + diagnostic.getMessage());
  state.target = target;
  state.options.optLevel = level;
  state.options.tier = with;
  state.compute.workgroupSize = {laneCount, 1, 1};
  if (Error error = lgc::prepareModule(*module, state))
    return error;
  return backend.compile(std::move(module), lgc::OutputKind::Object);
}

Expected<Bytes> Compiler::compile(const std::string &text, const lgc::PipelineState &state) {
  Expected<lgc::CompileResult> result = compileWith(tier, text, state);
  if (result && result->isRefused) {
    ++refused[result->directRefusal];
    result = compileWith(lgc::Tier::Llvm, text, state);
  }
  if (!result)
    return result.takeError();
  direct += result->isDirect;
  return Bytes(result->data.begin(), result->data.end());
}

Expected<Bytes> Compiler::glue(const lgc::Part &part, lgc::PartKind kind,
                               lgc::PipelineState state) {
  state.target = target;
  state.options.optLevel = level;
  lgc::PartInfo info;
  info.kind = kind;
  if (kind == lgc::PartKind::VertexFetch)
    info.fetch = part.info().fetch;
  else
    info.colorExport = part.info().colorExport;
  Expected<lgc::CompileResult> result = backend.compileGlue(state, info);
  if (!result)
    return result.takeError();
  return Bytes(result->data.begin(), result->data.end());
}

Expected<std::unique_ptr<Executor>> Executor::create(const std::string &name) {
  std::unique_ptr<Executor> executor(new Executor);
  pal::device::DeviceOptions options;
  options.target = name;
  options.threads = 1;
  options.instructionLimit = 1'000'000;
  options.poison = true;
  options.strict = true;
  auto device = pal::device::SoftwareDevice::create(options);
  if (!device)
    return device.takeError();
  executor->target = pal::abi::findTarget(name);
  executor->device = std::move(*device);
  if (Error error = executor->allocate())
    return error;
  return executor;
}

Error Executor::allocate() {
  const struct {
    std::unique_ptr<pal::device::Allocation> Executor::*memory;
    pal::device::AllocationInfo info;
  } rows[] = {{&Executor::tables,
               {.size = 4 << 20, .heap = pal::device::Heap::DescriptorTables, .name = "tables"}},
              {&Executor::buffers, {.size = 1 << 20, .name = "buffers"}},
              {&Executor::vertices, {.size = vertexBufferBytes, .name = "vertices"}},
              {&Executor::images, {.size = 1 << 16, .name = "images"}}};
  for (const auto &row : rows) {
    auto made = device->allocate(row.info);
    if (!made)
      return made.takeError();
    this->*row.memory = std::move(*made);
  }
  for (uint32_t place = 0; place < vertexBufferBytes; ++place)
    vertices->host()[place] = attributeByte(place);
  return Error::success();
}

/// Memory of one element of a binding, filled; what nobody stores to keeps its place.
uint32_t *Executor::buffer(const RandomModule &module, uint32_t binding, uint32_t element,
                           uint64_t &address, uint32_t &bytes) {
  const bool isOutput = binding == module.output;
  const uint32_t dwords = isOutput ? module.outputDwords() : bufferDwords;
  auto *start = reinterpret_cast<uint32_t *>(buffers->host()) + nextBuffer;
  address = buffers->address() + uint64_t(nextBuffer) * 4;
  bytes = dwords * 4;
  nextBuffer += (dwords + 63) / 64 * 64;
  for (uint32_t i = 0; i < dwords; ++i)
    start[i] = isOutput ? untouched : bufferContent(binding, element, i);
  return start;
}

/// What lies where the node is: descriptors, words. Nodes that the module lacks hold junk.
void Executor::writeNode(const RandomModule &module, const ResourceNode &node, uint32_t *dwords) {
  uint32_t number = 0;
  while (number < module.bindings.size() && (module.bindings[number].set != node.set ||
                                             module.bindings[number].binding != node.binding))
    ++number;
  std::fill(dwords, dwords + node.sizeInDwords, 0xBADBAD00u);
  if (number == module.bindings.size())
    return;
  const Binding &binding = module.bindings[number];
  const uint32_t stride =
      binding.kind == Binding::Kind::Inline ? inlineDwords : node.strideInDwords;
  for (uint32_t element = 0; element < binding.elements; ++element) {
    uint32_t *at = dwords + element * stride;
    if (binding.kind == Binding::Kind::Inline || !binding.isBuffer()) {
      for (uint32_t i = 0; i < stride; ++i)
        at[i] = binding.isBuffer() ? bufferContent(number, element, i)
                                   : descriptorContent(number, element, i);
      continue;
    }
    pal::srd::BufferSrdInfo info;
    uint32_t bytes = 0;
    uint32_t *memory = buffer(module, number, element, info.address, bytes);
    info.sizeBytes = bytes;
    if (number == module.output && element == 0)
      outputStart = memory;
    pal::srd::buildBufferSrd(*target, info, at);
  }
}

Expected<std::vector<uint32_t>> Executor::makeUserData(const RandomModule &module,
                                                       const ResourceMapping &mapping) {
  nextBuffer = 0;
  outputStart = nullptr;
  std::vector<uint32_t> userData(rootDwords(mapping), 0xBADBAD01u);
  auto *table = reinterpret_cast<uint32_t *>(tables->host());
  uint64_t tableAddress = tables->address();
  for (const ResourceNode &root : mapping.roots) {
    uint32_t *entry = userData.data() + root.offsetInDwords;
    if (root.type == ResourceNodeType::PushConst) {
      for (uint32_t i = 0; i < root.sizeInDwords; ++i)
        entry[i] = pushContent(i);
      continue;
    }
    if (root.type != ResourceNodeType::DescriptorTableVaPtr) {
      writeNode(module, root, entry);
      continue;
    }
    uint32_t end = 0;
    for (const ResourceNode &node : root.table)
      end = std::max(end, node.offsetInDwords + node.sizeInDwords);
    end = (end + 63) / 64 * 64;
    std::fill(table, table + end, 0xBADBAD02u);
    for (const ResourceNode &node : root.table)
      writeNode(module, node, table + node.offsetInDwords);
    *entry = static_cast<uint32_t>(tableAddress);
    table += end;
    tableAddress += uint64_t(end) * 4;
  }
  if (!outputStart || uint64_t(nextBuffer) * 4 > buffers->size() ||
      reinterpret_cast<uint8_t *>(table) > tables->host() + tables->size())
    return lgc::internalError("the harness has too little memory");
  return userData;
}

Expected<Result> Executor::run(const Bytes &elf, const RandomModule &module,
                               const ResourceMapping &mapping) {
  auto program = device->loadProgram(elf, "random");
  if (!program)
    return program.takeError();
  Expected<std::vector<uint32_t>> userData = makeUserData(module, mapping);
  if (!userData)
    return userData.takeError();
  Result result;
  if (module.draw) {
    if (Error fault = draw(**program, *module.draw, *userData, result.targets))
      return fault;
  } else {
    pal::device::DispatchInfo info;
    info.program = program->get();
    info.userData = *userData;
    if (Error fault = device->dispatch(info))
      return fault;
  }
  result.output.assign(outputStart, outputStart + module.outputDwords());
  return result;
}

} // namespace randomlink
