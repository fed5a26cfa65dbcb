//===- BvhStack.cpp - stacks of traversals in LDS --------------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// ds_bvh_stack_rtn_b32 of gfx11, and gfx12's three (RDNA3 and RDNA4 ISA, "DS stack operations";
/// docs/hw-notes.md#ray-tracing). A lane's stack is a ring in LDS, whose entries are 128 bytes
/// apart. Children are pushed, last first, and one, or two, are popped: the nearest. What is
/// pushed beyond the ring's size overwrites what is at its bottom.
#include "pal_shim/device/core/OpTables.h"
#include "pal_shim/device/memory/MemOps.h"
#include <algorithm>
#include <cstring>

namespace pal::device {

namespace {

constexpr uint32_t invalidNode = 0xFFFFFFFF, terminalNode = 0xFFFFFFFE;
constexpr uint32_t typeMask = 7, typePair1 = 1, lastPrimitive = 3, typeInstance = 6;
/// Nodes above this are none; they may say what is to be skipped.
constexpr uint32_t firstMark = 0xFFFFFFF8;

struct StackOp {
  unsigned children, pops;
};
constexpr StackOp push4Pop1 = {4, 1}, push8Pop1 = {8, 1}, push8Pop2 = {8, 2};
const StackOp &stackOp(const Instr &instr) { return *static_cast<const StackOp *>(instr.kernel); }

/// Entries of one lane's ring; outside of LDS they read 0.
class Ring {
public:
  Ring(Wave &wave, uint32_t baseDword) : lds(wave.group->lds), base(baseDword) {}
  uint32_t read(uint32_t entry) const {
    uint32_t value = 0;
    if (const uint64_t at = place(entry); at + sizeof(value) <= lds.size())
      std::memcpy(&value, lds.data() + at, sizeof(value));
    return value;
  }
  void write(uint32_t entry, uint32_t value) {
    if (const uint64_t at = place(entry); at + sizeof(value) <= lds.size())
      std::memcpy(lds.data() + at, &value, sizeof(value));
  }

private:
  uint64_t place(uint32_t entry) const { return 4 * (uint64_t(base) + 32 * uint64_t(entry)); }
  std::vector<uint8_t> &lds;
  uint32_t base;
};

//===--- gfx11 ------------------------------------------------------------===//

/// Returns the next node; changes \p address: base dword << 18 | entries.
uint32_t push4(Wave &wave, uint32_t size, uint32_t &address, uint32_t last, const uint32_t *data) {
  constexpr uint32_t indexMask = 0x3FFFF;
  uint32_t index = address & indexMask;
  Ring ring(wave, address >> 18);
  // What comes before the last visited child has been visited, too.
  bool isOpen = last == invalidNode || std::find(data, data + 4, last) != data + 4;
  uint32_t result = invalidNode;
  for (unsigned i = 4; i-- > 0;) {
    isOpen = isOpen && (last == invalidNode || data[i] != last);
    if (!isOpen || data[i] == invalidNode)
      continue;
    if (i == 0) {
      result = data[0];
      break;
    }
    ring.write(index & (size - 1), data[i]);
    index = std::min(index + 1, indexMask);
  }
  if (result == invalidNode && index == 0) {
    result = terminalNode;
  } else if (result == invalidNode) {
    --index;
    result = ring.read(index & (size - 1));
    ring.write(index & (size - 1), invalidNode); // who comes here again finds nothing
  }
  address = (address & ~indexMask) | index;
  return result;
}

//===--- gfx12 ------------------------------------------------------------===//

/// The packed address of gfx12.
struct Stack12 {
  uint32_t valid, toTlas, next, base;
  bool hasTlas, hasOverflowed, popsTlas;
  uint32_t size;
  Ring ring;

  Stack12(Wave &wave, uint32_t address, uint32_t size)
      : valid(address & 31), toTlas(address >> 5 & 31), next(address >> 10 & 31),
        base(address >> 15 & 0x3FFF), hasTlas(address >> 29 & 1), hasOverflowed(address >> 30 & 1),
        popsTlas(address >> 31), size(size), ring(wave, base) {}

  uint32_t packed() const {
    return valid | toTlas << 5 | next << 10 | base << 15 | uint32_t(hasTlas) << 29 |
           uint32_t(hasOverflowed) << 30 | uint32_t(popsTlas) << 31;
  }
  void push(uint32_t node) {
    hasOverflowed |= valid == size;
    ring.write(next, node);
    next = next + 1 >= size ? 0 : next + 1;
    hasTlas = hasTlas && toTlas != size;
    toTlas = std::min(toTlas + 1, size);
    valid = std::min(valid + 1, size);
  }
  uint32_t take() {
    toTlas -= toTlas ? 1 : 0;
    valid -= valid ? 1 : 0;
    next = next ? next - 1 : size - 1;
    return ring.read(next);
  }
  uint32_t pop() {
    popsTlas = toTlas == 0 && hasTlas;
    hasTlas = hasTlas && !popsTlas;
    if (valid == 0) {
      popsTlas = hasTlas = false;
      return hasOverflowed ? invalidNode : terminalNode;
    }
    const uint32_t node = take();
    if ((node & typeMask) == typeInstance) {
      if (hasTlas) { // within another: what is above that is found without the stack
        valid = toTlas;
        hasOverflowed = true;
      }
      hasTlas = true;
      toTlas = 0;
    }
    return node;
  }
  /// Another node of the same structure, if there is one.
  uint32_t popSecond() {
    if (valid == 0 || (toTlas == 0 && hasTlas))
      return invalidNode;
    const Stack12 before = *this;
    const uint32_t node = take();
    if ((node & typeMask) != typeInstance)
      return node;
    valid = before.valid, toTlas = before.toTlas, next = before.next;
    return invalidNode;
  }
};

/// The pair, or node, behind a primitive. \p endOfNode: it was the last pair.
uint32_t nextPrimitive(uint32_t node, bool endOfNode) {
  if (endOfNode)
    return (node & ~15u) + 16;
  return (node & 15) == lastPrimitive ? node + 5 : node + 1; // 3, then 8
}

/// Pushes children from the last to the first, beginning with those that are left of a node whose
/// child \p last was visited.
void pushAll(Stack12 &stack, const StackOp &op, uint32_t last, const uint32_t *data, bool ranges) {
  const bool isWalkBack = last < firstMark;
  // What \p last says of a primitive node, which is the last child: bits 2 (0), 1 and 0.
  const bool isRange = ranges && !isWalkBack && !(last & 4);
  auto isVisited = [&](uint32_t node) {
    return node == last || (ranges && (node & typeMask) <= lastPrimitive);
  };
  const bool isKnown = std::any_of(data, data + op.children, isVisited) ||
                       (ranges && (last & typeMask) <= lastPrimitive);
  bool isOpen = (!isWalkBack || isKnown) && !(isRange && (last & 2));
  bool skipLow = false, skipHigh = false;
  for (unsigned i = op.children; i-- > 0;) {
    const uint32_t node = data[i];
    bool &skip = i >= 4 ? skipHigh : skipLow;
    if (node >= firstMark && isOpen && !skip) {
      skipLow |= !(node & 2);
      skipHigh |= !(node & 4);
    }
    if (isWalkBack && isVisited(node))
      isOpen = false;
    const bool isCurrent = isRange && i + 1 == op.children;
    if (isOpen && node < firstMark && !skip)
      stack.push(isCurrent ? nextPrimitive(node, last & 1) : node);
    if (isCurrent) // the node was all there is
      break;
  }
}

void runStack12(Wave &wave, const Instr &instr, unsigned lane, const uint32_t *data,
                uint32_t *results) {
  const StackOp &op = stackOp(instr);
  uint32_t &address = wave.v[instr.src[0].reg].lane[lane];
  const uint32_t last = wave.v[instr.src[1].reg].lane[lane];
  const bool pairs = instr.simm >> 8 & 1, ranges = instr.simm >> 9 & 1;
  Stack12 stack(wave, address, instr.simm & 31);
  pushAll(stack, op, last, data, ranges);
  results[0] = stack.pop();
  if (op.pops == 2) {
    const uint32_t node = results[0];
    results[1] = invalidNode;
    if (pairs && (node & typeMask) == typePair1) {
      results[0] = node & ~typeMask; // both triangles of the pair
      results[1] = node;
    } else if (const uint32_t second = stack.popSecond(); second != invalidNode) {
      results[0] = second;
      results[1] = node;
    }
  }
  address = stack.packed();
}

//===--- Instructions -----------------------------------------------------===//

bool decodeStack(const RawInstr &raw, Instr &instr, std::string &why) {
  if (raw.dwords.size() < 2) {
    why = "truncated encoding";
    return false;
  }
  const StackOp &op = stackOp(instr);
  instr.simm = int32_t(raw.bits(0, 16));
  for (unsigned i = 0; i < 3; ++i)
    instr.src[i] = {.kind = Src::Kind::Vgpr, .reg = uint16_t(raw.bits(32 + 8 * i, 8))};
  instr.dst[0] = {.kind = Dst::Kind::Vgpr, .reg = uint16_t(raw.bits(56, 8))};
  if (instr.src[2].reg + op.children > 256 || instr.dst[0].reg + op.pops > 256)
    why = "stack operation with registers beyond the last";
  else if (isGfx12(raw.generation) && !(instr.simm & 31))
    why = "stack operation without a size";
  return why.empty();
}

void runStack(Wave &wave, const Instr &instr) {
  const StackOp &op = stackOp(instr);
  forEachLane(wave.exec(), [&](unsigned lane) {
    uint32_t data[8], results[2];
    for (unsigned i = 0; i < op.children; ++i)
      data[i] = wave.v[instr.src[2].reg + i].lane[lane];
    if (isGfx12(wave.generation))
      runStack12(wave, instr, lane, data, results);
    else
      results[0] = push4(wave, 8u << (instr.simm >> 12 & 3), wave.v[instr.src[0].reg].lane[lane],
                         wave.v[instr.src[1].reg].lane[lane], data);
    for (unsigned i = 0; i < op.pops; ++i)
      wave.v[instr.dst[0].reg + i].lane[lane] = results[i];
  });
}

/// Bits of Generation: gfx11, gfx11.5, gfx12; gfx12.
constexpr uint8_t generations = 0x1C, only12 = 0x10;

const OpEntry table[] = {
    {"ds_bvh_stack_push4_pop1_rtn_b32 ds_bvh_stack_rtn_b32", runStack, decodeStack, &push4Pop1, 0,
     generations},
    {"ds_bvh_stack_push8_pop1_rtn_b32", runStack, decodeStack, &push8Pop1, 0, only12},
    {"ds_bvh_stack_push8_pop2_rtn_b64", runStack, decodeStack, &push8Pop2, 0, only12},
};

} // namespace

llvm::ArrayRef<OpEntry> bvhStackOps() { return table; }

} // namespace pal::device
