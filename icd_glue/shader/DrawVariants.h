//===- DrawVariants.h - code for draws with shader objects ----------------===//
// SPDX-License-Identifier: MIT
/// \file
/// A draw with shader objects has no pipeline: what is bound and set when it is recorded selects
/// the code. It is that of a pipeline of libraries with these shaders and this state
/// (pipeline/LibraryLink.h): parts and glue are linked, and where they cannot be the whole is
/// compiled. Of the state only what code depends on counts, as in pipeline keys; the rest stays in
/// the command buffer's DrawState, as if all of it were dynamic.
///
///     auto pipeline = device.drawVariants().obtain(
///         device, {.vertex = vertex, .fragment = fragment}, input, state, formats);
///
/// Threads: any number. No lock is held while anything is compiled.
#pragma once

#include "icd_glue/shader/ShaderObject.h"
#include <deque>
#include <unordered_map>

namespace icd {

/// The shaders of a draw.
struct DrawShaders {
  /// Null: none. Without a vertex and a mesh shader nothing can be drawn.
  std::shared_ptr<const ShaderData> vertex = {}, control = {}, evaluation = {}, geometry = {};
  std::shared_ptr<const ShaderData> task = {}, mesh = {}, fragment = {};

  bool canDraw() const { return vertex || mesh; }
  /// In the pipeline's order; null: none.
  std::array<const ShaderData *, 4> beforeRasterization() const {
    if (mesh)
      return {task.get(), mesh.get()};
    return {vertex.get(), control.get(), evaluation.get(), geometry.get()};
  }
  static constexpr size_t count = 7;
  std::array<const ShaderData *, count> all() const {
    return {vertex.get(), control.get(), evaluation.get(), geometry.get(),
            task.get(),   mesh.get(),    fragment.get()};
  }
  bool isTessellated() const { return control && evaluation; }
  /// The place of shaders of a stage; null: it is none of draws.
  std::shared_ptr<const ShaderData> *find(VkShaderStageFlagBits stage);
};

/// Values by hash. The oldest ones are forgotten.
template <typename Value> class RecentValues {
public:
  explicit RecentValues(size_t most) : most(most) {}

  /// Null: not there.
  const Value *find(const llpc::Hash128 &key) const {
    const auto found = values.find(key);
    return found == values.end() ? nullptr : &found->second;
  }
  /// \p value, also in place of what is there already.
  const Value &add(const llpc::Hash128 &key, Value value) {
    const auto [place, isNew] = values.insert_or_assign(key, std::move(value));
    if (isNew)
      order.push_back(key);
    if (order.size() > most) { // never the new one
      values.erase(order.front());
      order.pop_front();
    }
    return place->second;
  }
  template <typename Condition> void eraseIf(Condition &&condition) {
    const size_t erased =
        std::erase_if(values, [&](const auto &entry) { return condition(entry.second); });
    if (erased)
      std::erase_if(order, [&](const llpc::Hash128 &key) { return !values.count(key); });
  }
  size_t size() const { return values.size(); }

private:
  struct HashOfKey {
    size_t operator()(const llpc::Hash128 &key) const { return size_t(key[0]) << 32 | key[1]; }
  };
  const size_t most; ///< at least 1
  std::unordered_map<llpc::Hash128, Value, HashOfKey> values;
  std::deque<llpc::Hash128> order; ///< oldest first
};

/// The variants of one device.
class DrawVariants {
public:
  /// What is kept for draws to come, each way.
  static constexpr size_t maxVariants = 4096, maxStates = 1024;

  DrawVariants();

  uint64_t nextShaderId() { return shaderIds++; }
  /// The pipeline that draws \p shaders with \p input and \p state to \p formats. Errors: those of
  /// a compile.
  llvm::Expected<std::shared_ptr<const PipelineData>>
  obtain(Device &device, const DrawShaders &shaders, const VertexInputState &input,
         const DrawState &state, const TargetFormats &formats);
  /// The same if it is there, else null.
  std::shared_ptr<const PipelineData> find(const DrawShaders &shaders,
                                           const VertexInputState &input, const DrawState &state,
                                           const TargetFormats &formats);
  /// Drops the variants of a shader that no later draw can have.
  void forget(const ShaderData &shader);
  size_t variantCount() const;

private:
  using ShaderIds = std::array<uint64_t, DrawShaders::count>; ///< ShaderData::id; 0: none
  struct Variant {
    ShaderIds shaderIds;
    std::shared_ptr<const PipelineData> pipeline;
  };
  struct Wanted;
  std::shared_ptr<const PipelineData> find(const Wanted &wanted);
  std::shared_ptr<const StatePiece> statePiece(const llpc::Hash128 &key, GraphicsState state);

  std::atomic<uint64_t> shaderIds = 1;
  const std::shared_ptr<const ShaderPiece> noFragmentShader;
  mutable std::mutex mutex;
  RecentValues<Variant> variants{maxVariants};
  RecentValues<std::shared_ptr<const StatePiece>> states{maxStates};
};

} // namespace icd
