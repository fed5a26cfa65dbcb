//===- FrameOffsets.cpp - a scalar register for places on the stack -------===//
// SPDX-License-Identifier: MIT
#include "lgc/llvm22/FrameOffsets.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/CodeGen/MachineFrameInfo.h"
#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/CodeGen/MachineRegisterInfo.h"
#include "llvm/CodeGen/TargetRegisterInfo.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"
#include "llvm/IR/Function.h"
#include <optional>

using namespace llvm;

namespace lgc {
namespace {

/// Bytes from which on a place may be too far: the shortest offsets, those of gfx10, end at 2047,
/// and what is spilled may come on top.
constexpr uint64_t largeStack = 1024;

bool hasLargeStack(const MachineFrameInfo &frame) {
  uint64_t bytes = 0;
  for (int index = 0; index < frame.getObjectIndexEnd(); ++index)
    if (!frame.isDeadObjectIndex(index))
      bytes += static_cast<uint64_t>(frame.getObjectSize(index));
  return bytes > largeStack;
}

/// The number that LLVM's list of reserved registers depends on, and what it was.
constexpr StringLiteral limitName = "amdgpu-num-sgpr", givenName = "kiln-given-num-sgpr";
constexpr unsigned countedVcc = 2; ///< the limit counts VCC, which is no numbered register

/// The last scalar register that values may be in, as its number, or none.
std::optional<unsigned> lastScalar(const MachineFunction &function) {
  const MachineRegisterInfo &info = function.getRegInfo();
  const TargetRegisterInfo &target = *function.getSubtarget().getRegisterInfo();
  for (const TargetRegisterClass *all : target.regclasses())
    if (StringRef(target.getRegClassName(all)) == "SGPR_32")
      for (unsigned number = all->getNumRegs(); number-- > 0;)
        if (!info.isReserved(all->getRegister(number)))
          return number;
  return std::nullopt;
}

} // namespace

bool reserveForFrameOffsets(MachineFunction &function) {
  Function &code = function.getFunction();
  if (!hasLargeStack(function.getFrameInfo()) || code.hasFnAttribute(givenName))
    return false;
  const std::optional<unsigned> last = lastScalar(function);
  if (!last || *last <= countedVcc) // so few are no limit
    return false;
  code.addFnAttr(givenName, code.getFnAttribute(limitName).getValueAsString());
  code.addFnAttr(limitName, std::to_string(*last + countedVcc));
  function.getRegInfo().freezeReservedRegs();
  return true;
}

bool releaseForFrameOffsets(MachineFunction &function) {
  Function &code = function.getFunction();
  if (!code.hasFnAttribute(givenName))
    return false;
  const std::string given = code.getFnAttribute(givenName).getValueAsString().str();
  code.removeFnAttr(givenName);
  code.removeFnAttr(limitName);
  if (!given.empty())
    code.addFnAttr(limitName, given);
  function.getRegInfo().freezeReservedRegs();
  return true;
}

} // namespace lgc
