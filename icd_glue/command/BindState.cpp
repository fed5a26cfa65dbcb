//===- BindState.cpp - bound pipelines, sets and push constants -----------===//
// SPDX-License-Identifier: MIT
#include "icd_glue/command/BindState.h"
#include <algorithm>
#include <cstring>

namespace icd {

PushSet &BindPointState::pushSet(uint32_t set, const std::shared_ptr<const SetLayout> &layout) {
  // Why by value: descriptors stay valid across layouts that were created alike.
  bool same = push.layout && push.set == set && (push.layout == layout || *push.layout == *layout);
  if (!same) {
    push.set = set;
    push.layout = layout;
    push.words.assign(layout->sizeDwords, 0);
    initializeSet(push.memory());
  }
  push.changed = true;
  return push;
}

BufferWords withOffset(BufferWords words, uint32_t offset) {
  // HW: address in word 0 and the low half of word 1, number of records in word 2.
  if (words[2] == 0)
    return words;
  uint64_t address = (uint64_t(words[1] & 0xFFFF) << 32 | words[0]) + offset;
  words[0] = static_cast<uint32_t>(address);
  words[1] = (words[1] & 0xFFFF0000) | (static_cast<uint32_t>(address >> 32) & 0xFFFF);
  return words;
}

static bool uploadPushSet(BindPointState &state, TableArena &tables) {
  PushSet &push = state.push;
  if (!push.layout || !push.changed || push.set >= state.sets.size())
    return true;
  if (!push.words.empty()) {
    pal::device::GpuAddress address = tables.upload(push.words);
    if (!address)
      return false;
    state.sets[push.set].table = static_cast<uint32_t>(address);
  }
  push.changed = false;
  return true;
}

std::optional<std::vector<uint32_t>> buildUserData(const UserDataLayout &layout,
                                                   BindPointState &state,
                                                   const PushConstantState &constants,
                                                   TableArena &tables) {
  if (!uploadPushSet(state, tables))
    return std::nullopt;
  std::vector<uint32_t> data(layout.totalDwords);
  for (size_t i = 0; i < layout.sets.size() && i < state.sets.size(); ++i) {
    const SetUserData &place = layout.sets[i];
    const BoundSet &bound = state.sets[i];
    if (place.tableOffset != SetUserData::none)
      data[place.tableOffset] = bound.table;
    size_t count = std::min<size_t>(place.dynamicCount, bound.dynamicBuffers.size());
    for (size_t buffer = 0; buffer < count; ++buffer)
      std::copy(bound.dynamicBuffers[buffer].begin(), bound.dynamicBuffers[buffer].end(),
                data.begin() + static_cast<ptrdiff_t>(place.dynamicOffset + buffer * bufferDwords));
  }
  size_t pushBytes = std::min<size_t>(layout.pushDwords * 4, constants.bytes.size());
  if (pushBytes)
    std::memcpy(data.data() + layout.pushOffset, constants.bytes.data(), pushBytes);
  return data;
}

} // namespace icd
