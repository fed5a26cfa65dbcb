//===- SceneSample.cpp - a generated scene for graphics shaders -----------===//
// SPDX-License-Identifier: MIT
#include "SceneSample.h"
#include "SampleResources.h"
#include "pal_shim/abi/Try.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"
#include <cmath>

using llpc::spirv::Decoration;
using llpc::spirv::Id;
using llpc::spirv::Inst;
using llpc::spirv::Module;
using llvm::Error;
using llvm::Expected;
using llvm::Twine;

namespace exec {

namespace {

constexpr uint32_t meshCells = 4; ///< in each direction, two triangles each
constexpr uint32_t meshVertices = (meshCells + 1) * (meshCells + 1);
constexpr uint32_t maxColors = 8;
/// What geometry shaders choose among.
constexpr uint32_t sceneLayers = 4, sceneViewports = 2;

constexpr struct {
  spv::ExecutionMode input;
  VkPrimitiveTopology topology;
} topologies[] = {
    {spv::ExecutionMode::InputPoints, VK_PRIMITIVE_TOPOLOGY_POINT_LIST},
    {spv::ExecutionMode::InputLines, VK_PRIMITIVE_TOPOLOGY_LINE_LIST},
    {spv::ExecutionMode::InputLinesAdjacency, VK_PRIMITIVE_TOPOLOGY_LINE_LIST_WITH_ADJACENCY},
    {spv::ExecutionMode::Triangles, VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST},
    {spv::ExecutionMode::InputTrianglesAdjacency,
     VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST_WITH_ADJACENCY},
};

/// One location of an interface variable.
struct Slot {
  uint32_t location;
  ScalarType type;
  uint32_t components;
};

class SceneBuilder {
public:
  /// All may be null; without \p vertex there is a mesh shader.
  SceneBuilder(const SampleModule *vertex, const SampleModule *control,
               const SampleModule *geometry, const SampleModule *fragment, Job &job,
               bool isMultisampled)
      : vertex(vertex), control(control), geometry(geometry), fragment(fragment), job(job),
        scene(*job.graphics),
        samples(isMultisampled ? VK_SAMPLE_COUNT_4_BIT : VK_SAMPLE_COUNT_1_BIT) {}

  Error build() {
    bool hasAttributes = false;
    if (vertex)
      KILN_TRY(addAttributes(hasAttributes));
    if (geometry)
      setGeometry();
    if (control)
      setTessellation();
    KILN_TRY(addColors());
    addDepth();
    if (vertex && !geometry && !control && fragment &&
        usesBuiltIn(*fragment, spv::BuiltIn::PointCoord))
      scene.topology = VK_PRIMITIVE_TOPOLOGY_POINT_LIST;
    if (vertex)
      addDraw(hasAttributes);
    else
      addMeshDraw();
    return Error::success();
  }

private:
  static bool usesBuiltIn(const SampleModule &stage, spv::BuiltIn builtIn) {
    return llvm::any_of(stage.entry->interfaceIds, [&](Id id) {
      const Decoration *found = stage.module->findDecoration(id, spv::Decoration::BuiltIn);
      return found && found->operands[0] == static_cast<uint32_t>(builtIn);
    });
  }

  void setTessellation() {
    scene.topology = VK_PRIMITIVE_TOPOLOGY_PATCH_LIST;
    scene.patchControlPoints = 3;
    for (const llpc::spirv::ExecutionMode &mode : control->entry->modes)
      if (mode.mode == spv::ExecutionMode::OutputVertices)
        scene.patchControlPoints = mode.operands[0];
  }

  void setGeometry() {
    for (const llpc::spirv::ExecutionMode &mode : geometry->entry->modes)
      for (const auto &row : topologies)
        if (row.input == mode.mode)
          scene.topology = row.topology;
    if (usesBuiltIn(*geometry, spv::BuiltIn::Layer))
      scene.layers = sceneLayers;
    if (!usesBuiltIn(*geometry, spv::BuiltIn::ViewportIndex))
      return;
    float width = float(pictureExtent.width) / sceneViewports;
    for (uint32_t i = 0; i < sceneViewports; ++i)
      scene.viewports.push_back({float(i) * width, 0, width, float(pictureExtent.height), 0, 1});
  }

  Error addColors() {
    if (!fragment)
      return Error::success();
    std::vector<Slot> outputs = KILN_TRY(slotsOf(*fragment, spv::StorageClass::Output));
    for (const Slot &slot : outputs)
      addColor(slot);
    return Error::success();
  }

  /// Locations of one direction, in order; built-ins have none.
  static Expected<std::vector<Slot>> slotsOf(const SampleModule &stage, spv::StorageClass storage) {
    std::vector<Slot> slots;
    const Module &module = *stage.module;
    for (Id id : stage.entry->interfaceIds) {
      const Inst *variable = module.definition(id);
      const Decoration *location = module.findDecoration(id, spv::Decoration::Location);
      const Decoration *index = module.findDecoration(id, spv::Decoration::Index);
      if (!variable || static_cast<spv::StorageClass>((*variable)[0]) != storage || !location ||
          (index && index->operands[0] != 0)) // the second source of blending
        continue;
      if (module.findDecoration(id, spv::Decoration::Component))
        return failure("location " + Twine(location->operands[0]) + " with components");
      uint32_t next = location->operands[0];
      Id type = (*module.definition(variable->typeId))[1];
      KILN_TRY(addSlots(stage, type, next, slots));
    }
    llvm::sort(slots, [](const Slot &a, const Slot &b) { return a.location < b.location; });
    return slots;
  }

  static Error addSlots(const SampleModule &stage, Id type, uint32_t &next,
                        std::vector<Slot> &slots) {
    const Inst &inst = *stage.module->definition(type);
    uint32_t components = 1, count = 0;
    llpc::ConstantEval constants(*stage.module, stage.specialization);
    switch (inst.opcode) {
    case spv::Op::OpTypeArray:
      count = constants.evaluate(inst[1]).value_or(1);
      break;
    case spv::Op::OpTypeMatrix:
      count = inst[1];
      break;
    case spv::Op::OpTypeVector:
      components = inst[1];
      type = inst[0];
      break;
    default:
      break;
    }
    if (count > 16)
      return failure("an interface array of " + Twine(count));
    for (uint32_t i = 0; i < count; ++i)
      KILN_TRY(addSlots(stage, inst[0], next, slots));
    if (count)
      return Error::success();
    Layout scalar = KILN_TRY(LayoutReader(*stage.module, constants).read(type));
    if (scalar.kind != Layout::Kind::Scalar || sizeOf(scalar.type) == 8)
      return failure("location " + Twine(next) + " has a type that is not known here");
    slots.push_back({next++, scalar.type, components});
    return Error::success();
  }

  static std::string formatName(const Slot &slot) {
    std::string bits = std::to_string(sizeOf(slot.type) * 8), name;
    for (uint32_t i = 0; i < slot.components; ++i)
      name += "rgba"[i] + bits;
    return name + (isFloat(slot.type) ? "_sfloat" : isSigned(slot.type) ? "_sint" : "_uint");
  }

  /// Rows of the mesh follow each other, but vertices 1 and 2 have changed places with corners: the
  /// first three make a large triangle.
  static uint32_t placeOf(uint32_t vertex) {
    constexpr uint32_t corners[2] = {meshCells, meshCells * (meshCells + 1)};
    for (uint32_t i = 0; i < 2; ++i) {
      if (vertex == i + 1)
        return corners[i];
      if (vertex == corners[i])
        return i + 1;
    }
    return vertex;
  }

  /// The component of an attribute at a vertex of the mesh: a turned plane for each location, so
  /// that whichever is the position covers the picture, and others change smoothly over it.
  static double attributeValue(const Slot &slot, uint32_t component, uint32_t vertex) {
    uint32_t index = placeOf(vertex);
    double x = 2.0 * (index % (meshCells + 1)) / meshCells - 1;
    double y = 2.0 * (index / (meshCells + 1) % (meshCells + 1)) / meshCells - 1;
    double turn = 0.125 * slot.location;
    if (!isFloat(slot.type)) // the same for all vertices: indices into arrays
      return (slot.location + component) % 3;
    if (slot.components == 1)
      return 0.5 + 0.25 * x;
    const double values[] = {x * (1 - turn / 4) - y * turn / 2, x * turn / 2 + y * (1 - turn / 4),
                             0.375 + 0.125 * x + 0.0625 * y, 1};
    return values[component];
  }

  Error addAttributes(bool &any) {
    std::vector<Slot> inputs = KILN_TRY(slotsOf(*vertex, spv::StorageClass::Input));
    any = !inputs.empty();
    for (const Slot &slot : inputs)
      KILN_TRY(addAttribute(slot));
    return Error::success();
  }

  Error addAttribute(const Slot &slot) {
    const FormatRow *row = findFormat(formatName(slot));
    if (!row)
      return failure("no vertex format " + formatName(slot));
    VertexBuffer buffer;
    buffer.binding = scene.vertexBuffers.size();
    buffer.buffer = job.buffers.size();
    buffer.stride = (row->bytes + 3) / 4 * 4;
    Bytes &bytes = job.buffers.emplace_back();
    for (uint32_t i = 0; i < meshVertices; ++i) {
      for (uint32_t c = 0; c < slot.components; ++c) {
        double value = attributeValue(slot, c, i);
        appendBits(slot.type,
                   isFloat(slot.type) ? fromDouble(slot.type, value) : static_cast<uint64_t>(value),
                   bytes);
      }
      bytes.resize(size_t(i + 1) * buffer.stride);
    }
    scene.attributes.push_back({slot.location, buffer.binding, row->format, 0});
    scene.vertexBuffers.push_back(buffer);
    return Error::success();
  }

  void addColor(const Slot &slot) {
    if (slot.location >= maxColors)
      return;
    Slot texel = {slot.location, isFloat(slot.type) ? ScalarType::F16 : slot.type, 4};
    const FormatRow *row = findFormat(formatName(texel));
    AttachmentSpec color;
    color.location = slot.location;
    color.layers = scene.layers;
    color.image = addImage(*row, VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT, samples);
    if (samples != VK_SAMPLE_COUNT_1_BIT) {
      color.resolves = true;
      color.resolveImage =
          addImage(*row, VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT, VK_SAMPLE_COUNT_1_BIT);
      if (!isFloat(texel.type)) // integers have no average
        color.resolveMode = VK_RESOLVE_MODE_SAMPLE_ZERO_BIT;
      else
        blendOver(scene.blend[slot.location]);
    }
    if (isFloat(texel.type))
      color.clear.color = {{0.125f, 0.25f, 0.375f, 0.5f}};
    else
      color.clear.color.uint32[0] = 77;
    scene.colors.push_back(color);
    // What the shader does not write is undefined.
    scene.blend[slot.location].colorWriteMask = (1u << slot.components) - 1;
  }

  static void blendOver(VkPipelineColorBlendAttachmentState &state) {
    state.blendEnable = VK_TRUE;
    state.srcColorBlendFactor = VK_BLEND_FACTOR_SRC_ALPHA;
    state.srcAlphaBlendFactor = VK_BLEND_FACTOR_ONE;
    state.dstColorBlendFactor = state.dstAlphaBlendFactor = VK_BLEND_FACTOR_ONE_MINUS_SRC_ALPHA;
  }

  uint32_t addImage(const FormatRow &row, VkImageUsageFlags usage, VkSampleCountFlagBits count) {
    ImageSpec image;
    image.format = row.format;
    image.blockBytes = row.bytes;
    image.extent = pictureExtent;
    image.usage = usage;
    image.samples = count;
    image.layers = scene.layers;
    job.images.push_back(image);
    return job.images.size() - 1;
  }

  void addDepth() {
    AttachmentSpec depth;
    depth.layers = scene.layers;
    depth.image = addImage(*findFormat(VK_FORMAT_D32_SFLOAT),
                           VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT, samples);
    job.images.back().aspect = job.images.back().allAspects = VK_IMAGE_ASPECT_DEPTH_BIT;
    depth.clear.depthStencil.depth = 1;
    scene.depth = depth;
    scene.depthStencil.depthTestEnable = scene.depthStencil.depthWriteEnable = VK_TRUE;
    scene.depthStencil.depthCompareOp = VK_COMPARE_OP_LESS_OR_EQUAL;
  }

  /// Some workgroups, so that their numbers matter.
  void addMeshDraw() {
    DrawCall &draw = scene.draws.emplace_back();
    draw.isMesh = true;
    draw.groups = {4, 1, 1};
  }

  void addDraw(bool hasAttributes) {
    DrawCall &draw = scene.draws.emplace_back();
    if (!hasAttributes) {
      draw.vertices = vertexCountOfArrays();
      return;
    }
    Bytes indices;
    for (uint32_t y = 0; y < meshCells; ++y)
      for (uint32_t x = 0; x < meshCells; ++x) {
        uint32_t corner = y * (meshCells + 1) + x, below = corner + meshCells + 1;
        const uint32_t triangles[] = {corner, below, corner + 1, corner + 1, below, below + 1};
        const uint32_t around[] = {corner, corner + 1, below + 1, below};
        for (uint32_t index :
             scene.patchControlPoints == 4 ? llvm::ArrayRef(around) : llvm::ArrayRef(triangles))
          appendBits(ScalarType::U16, placeOf(index), indices); // its own inverse
      }
    draw.indexed = true;
    // With numbers and attributes the numbers choose places: of the common single triangle.
    draw.vertices =
        usesBuiltIn(*vertex, spv::BuiltIn::VertexIndex) ? 3 : uint32_t(indices.size() / 2);
    if (draw.vertices == 3)
      indices = {0, 0, 1, 0, 2, 0};
    scene.indexBuffer = job.buffers.size();
    job.buffers.push_back(std::move(indices));
  }

  /// A shader without attributes finds its vertices by their number: in an array of a uniform
  /// block, which must not end before them, or in its code, as the common single triangle.
  uint32_t vertexCountOfArrays() const {
    uint64_t count = 3;
    llpc::ConstantEval constants(*vertex->module, vertex->specialization);
    for (const Inst *inst : vertex->module->globals()) {
      if (inst->opcode != spv::Op::OpVariable ||
          static_cast<spv::StorageClass>((*inst)[0]) != spv::StorageClass::Uniform)
        continue;
      Expected<Layout> layout = LayoutReader(*vertex->module, constants)
                                    .read((*vertex->module->definition(inst->typeId))[1]);
      if (!layout) {
        llvm::consumeError(layout.takeError());
        continue;
      }
      for (const Layout &member : layout->children)
        if (member.kind == Layout::Kind::Array && !member.isMatrix && member.count <= 96)
          count = std::max(count, member.count);
    }
    return count;
  }

  const SampleModule *vertex, *control, *geometry, *fragment;
  Job &job;
  GraphicsSpec &scene;
  VkSampleCountFlagBits samples;
};

} // namespace

Expected<Sample> makeSceneSample(const SceneModules &modules, const std::string &name,
                                 bool isMultisampled, uint64_t seed) {
  struct Stage {
    const std::optional<SampleModule> &module;
    VkShaderStageFlagBits bit;
  };
  const Stage stages[] = {
      {modules.vertex, VK_SHADER_STAGE_VERTEX_BIT},
      {modules.control, VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT},
      {modules.evaluation, VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT},
      {modules.geometry, VK_SHADER_STAGE_GEOMETRY_BIT},
      {modules.task, VK_SHADER_STAGE_TASK_BIT_EXT},
      {modules.mesh, VK_SHADER_STAGE_MESH_BIT_EXT},
      {modules.fragment, VK_SHADER_STAGE_FRAGMENT_BIT},
  };
  Sample sample;
  sample.job.name = name;
  GraphicsSpec &scene = sample.job.graphics.emplace();
  Random random(seed);
  for (const Stage &stage : stages) {
    if (!stage.module)
      continue;
    const SampleModule &module = *stage.module;
    scene.stages.push_back(
        {stage.bit, module.words, module.entry->name.str(), module.specialization});
    SampleResources resources(*module.module, module.specialization, sample, random,
                              /*isScene=*/true);
    KILN_TRY(resources.add(*module.entry));
  }
  auto given = [](const std::optional<SampleModule> &module) {
    return module ? &*module : nullptr;
  };
  if (modules.task)
    sample.features.push_back("taskShader");
  if (Error error =
          SceneBuilder(given(modules.vertex), given(modules.control), given(modules.geometry),
                       given(modules.fragment), sample.job, isMultisampled)
              .build())
    return error;
  return sample;
}

} // namespace exec
