//===- StreamOut.cpp - transform feedback ---------------------------------===//
// SPDX-License-Identifier: MIT
#include "lgc/lowering/vertex/StreamOut.h"
#include "lgc/Ops.h"
#include "lgc/lowering/Passes.h"
#include "lgc/lowering/entry/PalRegisters.h"
#include "lgc/lowering/resources/UserDataAddress.h"
#include "lgc/lowering/subgroup/LaneBuilder.h"
#include "lgc/lowering/vertex/VertexInputs.h"
#include "llvm/IR/IntrinsicsAMDGPU.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include <map>

using namespace llvm;

namespace lgc {

namespace key = pal::abi::key;

namespace {

constexpr unsigned bufferCount = 4;
constexpr unsigned streamCount = 4;
constexpr unsigned descriptorBytes = 16;
constexpr StringLiteral streamEnables[streamCount] = {key::streamout0En, key::streamout1En,
                                                      key::streamout2En, key::streamout3En};

} // namespace

static bool isDword(const StreamOutValue &output) {
  return output.value->getType()->getScalarSizeInBits() == 32;
}

std::vector<StreamOutValue> sortStreamOut(ArrayRef<StreamOutValue> values, unsigned stream) {
  std::map<std::pair<uint32_t, uint32_t>, StreamOutValue> byPlace;
  for (const StreamOutValue &value : values)
    if (value.stream == stream && value.buffer < bufferCount)
      byPlace[{value.buffer, value.offset}] = value;
  std::vector<StreamOutValue> result;
  for (const auto &[place, value] : byPlace)
    result.push_back(value);
  return result;
}

ArrayRef<StreamOutValue> takeStreamOutRun(ArrayRef<StreamOutValue> &values) {
  const StreamOutValue &first = values[0];
  unsigned length = 1;
  while (isDword(first) && length < 4 && length < values.size() && isDword(values[length]) &&
         values[length].buffer == first.buffer &&
         values[length].offset == first.offset + 4 * length)
    ++length;
  ArrayRef<StreamOutValue> run = values.take_front(length);
  values = values.drop_front(length);
  return run;
}

Value *combineStreamOut(IRBuilder<> &b, ArrayRef<StreamOutValue> run) {
  if (!isDword(run[0]))
    return b.CreateBitCast(run[0].value, b.getInt16Ty());
  if (run.size() == 1)
    return b.CreateBitCast(run[0].value, b.getInt32Ty());
  Value *vector = PoisonValue::get(FixedVectorType::get(b.getInt32Ty(), run.size()));
  for (unsigned i = 0; i < run.size(); ++i)
    vector = b.CreateInsertElement(vector, b.CreateBitCast(run[i].value, b.getInt32Ty()), i);
  return vector;
}

void emitLegacyStreamOut(IRBuilder<> &b, unsigned waveSize, ArrayRef<StreamOutValue> values,
                         unsigned stream) {
  Function &function = *b.GetInsertBlock()->getParent();
  // HW(gfx10): bits 22:16 are the number of the wave's vertices that are written.
  Value *info = createHwValue(b, HwValue::StreamOutInfo, "stream.out");
  Value *count = b.CreateAnd(b.CreateLShr(info, 16), 0x7F);
  Value *lane = LaneBuilder(b, waveSize, 10).laneId();
  Instruction *behind = &*b.GetInsertPoint();
  Instruction *body = SplitBlockAndInsertIfThen(b.CreateICmpULT(lane, count), behind->getIterator(),
                                                /*Unreachable=*/false);
  body->getParent()->setName("stream.out");
  b.SetInsertPoint(behind);

  IRBuilder<> inside(body);
  Value *index =
      inside.CreateAdd(createHwValue(inside, HwValue::StreamOutWriteIndex, "index"), lane);
  UserDataAddress address(function);
  Value *table = address.specialTable(pal::abi::userdata::streamOutTable);
  struct Target {
    Value *descriptor = nullptr;
    Value *base = nullptr; ///< bytes
  };
  std::array<Target, bufferCount> targets;
  std::vector<StreamOutValue> ordered = sortStreamOut(values, stream);
  for (ArrayRef<StreamOutValue> rest = ordered; !rest.empty();) {
    const StreamOutValue &first = rest[0];
    ArrayRef<StreamOutValue> run = takeStreamOutRun(rest);
    Target &target = targets[first.buffer];
    if (!target.descriptor) {
      Value *place = offsetPointer(inside, table, first.buffer * descriptorBytes);
      target.descriptor =
          createInvariantLoad(inside, FixedVectorType::get(inside.getInt32Ty(), 4), place);
      auto offset =
          static_cast<HwValue>(static_cast<uint32_t>(HwValue::StreamOutOffset0) + first.buffer);
      // In dwords.
      target.base = inside.CreateShl(createHwValue(inside, offset, "offset"), 2);
    }
    Value *data = combineStreamOut(inside, run);
    // HW(gfx10): GLC and SLC: written once, read by nobody soon.
    inside.CreateIntrinsic(Intrinsic::amdgcn_struct_buffer_store, {data->getType()},
                           {data, target.descriptor, index, inside.getInt32(first.offset),
                            target.base, inside.getInt32(1 | 2)});
  }
}

void writeStreamOutStrides(Module &module, const PipelineState &state) {
  const XfbModes &xfb = state.graphics.xfb;
  for (unsigned i = 0; i < bufferCount; ++i) {
    if (xfb.strides[i] % 4)
      reportError(module.getContext(),
                  unsupported("transform feedback buffer " + Twine(i) + " with a stride of " +
                              Twine(xfb.strides[i]) + " bytes, no multiple of 4"));
    setRegister(module, {key::streamoutVertexStrides, "[" + std::to_string(i) + "]"},
                uint64_t(xfb.strides[i] / 4));
  }
}

void writeLegacyStreamOutRegisters(Module &module, const PipelineState &state) {
  const XfbModes &xfb = state.graphics.xfb;
  std::array<uint64_t, streamCount> buffersOfStream = {};
  for (unsigned i = 0; i < bufferCount; ++i)
    if (xfb.strides[i] && xfb.streamOfBuffer[i] < streamCount)
      buffersOfStream[xfb.streamOfBuffer[i]] |= uint64_t(1) << i;
  constexpr StringLiteral buffers[] = {key::stream0BufferEn, key::stream1BufferEn,
                                       key::stream2BufferEn, key::stream3BufferEn};
  for (unsigned i = 0; i < streamCount; ++i) {
    setGraphics(module, key::vgtStrmoutConfig, streamEnables[i], uint64_t(buffersOfStream[i] != 0));
    setGraphics(module, key::vgtStrmoutBufferConfig, buffers[i], buffersOfStream[i]);
  }
  writeStreamOutStrides(module, state);
}

void writeLegacyCountRegister(Module &module, const PipelineState &state) {
  if (!state.options.primitivesGeneratedQuery)
    return;
  setGraphics(module, key::vgtStrmoutConfig, key::primsNeededCntEn, uint64_t(1));
  for (StringRef stream : streamEnables)
    setGraphics(module, key::vgtStrmoutConfig, stream, uint64_t(1));
}

} // namespace lgc
