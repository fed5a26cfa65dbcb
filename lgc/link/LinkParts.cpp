//===- LinkParts.cpp - parts meet the application's layout ----------------===//
// SPDX-License-Identifier: MIT
#include "lgc/CompileError.h"
#include "lgc/link/LinkLayout.h"
#include "lgc/link/PartDigest.h"
#include "pal_shim/abi/Try.h"
#include "llvm/ADT/STLExtras.h"
#include <map>

using namespace llvm;

namespace lgc {

namespace userdata = pal::abi::userdata;
using Layout = LinkLayoutAccess::Impl;

namespace {

/// A range of the application's root.
struct RootRange {
  uint32_t dword = 0, dwords = 0;
};

std::string placeOf(const PartRoot &root) {
  std::string text = resourceNodeTypeName(root.type);
  if (root.type == ResourceNodeType::PushConst)
    return text;
  text += " of set " + std::to_string(root.set);
  if (root.type != ResourceNodeType::DescriptorTableVaPtr)
    text += ", binding " + std::to_string(root.binding);
  return text;
}

Expected<RootRange> findTable(const PartRoot &root, const Layout &layout) {
  const Layout::Table *table = layout.findTable(root.set);
  if (!table)
    return invalidInput("link: the layout has no table of set " + Twine(root.set));
  if (!table->isUnique)
    return unsupported("link: set " + Twine(root.set) + " is in several tables");
  return RootRange{table->dword, 1};
}

Expected<RootRange> findDescriptor(const PartRoot &root, const Layout &layout) {
  const Layout::RootBinding *found = layout.findRoot(root.set, root.binding);
  if (!found)
    return invalidInput(
        "link: " + placeOf(root) + " is " +
        (layout.findBinding(root.set, root.binding) ? "in a table" : "not in the layout") +
        ", the part has it in the root");
  if (!found->isUnique)
    return unsupported("link: " + placeOf(root) + " is several nodes");
  if (found->stride != defaultStrideInDwords(root.type) ||
      (found->type == ResourceNodeType::InlineBuffer) !=
          (root.type == ResourceNodeType::InlineBuffer))
    return invalidInput("link: " + placeOf(root) + " is a " + resourceNodeTypeName(found->type) +
                        " in the layout");
  return RootRange{found->dword, found->dwords};
}

Expected<RootRange> findRoot(const PartRoot &root, const Layout &layout) {
  switch (root.type) {
  case ResourceNodeType::DescriptorTableVaPtr:
    return findTable(root, layout);
  case ResourceNodeType::PushConst:
    if (!layout.hasPushConst)
      return invalidInput("link: the layout has no push constants");
    return RootRange{layout.pushConstDword, layout.pushConstDwords};
  case ResourceNodeType::IndirectUserDataVaPtr:
  case ResourceNodeType::StreamOutTableVaPtr:
    return unsupported("link: root entry " + placeOf(root));
  default:
    return findDescriptor(root, layout);
  }
}

Error resolveRoots(ResolvedPart &resolved, const Layout &layout) {
  resolved.dwords.fill(pal::remap::noDword);
  for (const UsedRoot &used : resolved.part->roots) {
    if (used.dwords.empty())
      continue;
    RootRange range = KILN_TRY(findRoot(used.root, layout));
    for (uint32_t dword : used.dwords) {
      uint32_t offset = dword - used.root.firstDword;
      if (offset >= range.dwords)
        return invalidInput("link: " + placeOf(used.root) + " has " + Twine(range.dwords) +
                            " dwords in the layout, dword " + Twine(offset) + " is used");
      uint64_t target = uint64_t(range.dword) + offset;
      if (target >= userdata::maxEntries)
        return limitExceeded("link: " + placeOf(used.root) + " is at dword " + Twine(target) +
                             " of the root, the limit is " + Twine(userdata::maxEntries));
      resolved.dwords[dword] = static_cast<uint32_t>(target);
      resolved.userDataLimit = std::max(resolved.userDataLimit, static_cast<uint32_t>(target) + 1);
    }
  }
  for (uint32_t dword : resolved.part->info.spilled)
    resolved.spillThreshold = std::min(resolved.spillThreshold, resolved.dwords[dword]);
  return Error::success();
}

Expected<uint32_t> offsetInTable(const PartReference &reference, const Layout &layout) {
  const Layout::Binding *binding = layout.findBinding(reference.set, reference.binding);
  auto place = [&] {
    return "set " + std::to_string(reference.set) + ", binding " +
           std::to_string(reference.binding);
  };
  if (!binding)
    return invalidInput("link: " + place() + " is not in a table of the layout");
  if (!binding->isUnique)
    return unsupported("link: " + place() + " is several nodes");
  return 4 * binding->offsetInDwords;
}

Expected<uint32_t> valueOf(const PartReference &reference, ArrayRef<LinkConstant> constants) {
  const auto *found = find_if(constants, [&](const LinkConstant &constant) {
    return constant.kind == LinkConstant::Kind::Value && constant.stage == reference.stage &&
           constant.constantId == reference.constantId;
  });
  if (found == constants.end())
    return invalidInput("link: specialization constant " + Twine(reference.constantId) +
                        " of the " + shaderStageName(reference.stage) + " shader has no value");
  return found->value;
}

/// HW: workgroup memory is given out in such pieces, and a workgroup has at most so much.
constexpr uint64_t workgroupGranule = 512, workgroupMax = 65536;

/// Bytes of the part's arrays before number \p end, one behind the other, and of what it has in
/// front.
Expected<uint32_t> workgroupBytes(const PartDigest &part, ArrayRef<LinkConstant> constants,
                                  uint32_t end) {
  constexpr uint64_t alignment = 16;  // as LLVM's
  std::map<uint32_t, uint64_t> sizes; // by number
  for (const PartReference &reference : part.references) {
    if (reference.kind != PartReference::Kind::Workgroup)
      continue;
    const auto *size = find_if(constants, [&](const LinkConstant &constant) {
      return constant.kind == LinkConstant::Kind::WorkgroupBytes &&
             constant.stage == ShaderStage::Compute && constant.constantId == reference.array;
    });
    if (size == constants.end())
      return invalidInput("link: array " + Twine(reference.array) +
                          " in workgroup memory has no size");
    sizes[reference.array] = size->value;
  }
  uint64_t bytes = part.whole ? part.whole->workgroupBytes() : 0;
  for (const auto &[number, size] : sizes)
    if (number < end)
      bytes += alignTo(size, alignment);
  if (bytes > workgroupMax)
    return limitExceeded("link: workgroup memory exceeds " + Twine(workgroupMax) + " bytes");
  return static_cast<uint32_t>(bytes);
}

Error resolveReferences(ResolvedPart &resolved, const Layout &layout,
                        ArrayRef<LinkConstant> constants) {
  using Kind = PartReference::Kind;
  for (const PartReference &reference : resolved.part->references) {
    uint32_t value = 0;
    if (reference.kind == Kind::Root)
      value = 4 * resolved.dwords[reference.dword];
    else if (reference.kind == Kind::Table)
      value = KILN_TRY(offsetInTable(reference, layout));
    else if (reference.kind == Kind::Workgroup)
      value = KILN_TRY(workgroupBytes(*resolved.part, constants, reference.array));
    else
      value = KILN_TRY(valueOf(reference, constants));
    resolved.references.push_back(value);
  }
  return Error::success();
}

/// What all parts of a link meet.
struct Surroundings {
  const Layout &layout;
  ArrayRef<LinkConstant> constants;
};

Error resolve(ResolvedPart &resolved, const Part *part, PartKind kind, const Surroundings &around) {
  if (!part)
    return Error::success();
  resolved.part = &PartAccess::of(*part);
  if (resolved.part->info.kind != kind)
    return invalidInput(Twine("link: a ") + partKindName(resolved.part->info.kind) +
                        " part in place of a " + partKindName(kind) + " part");
  KILN_TRY(resolveRoots(resolved, around.layout));
  return resolveReferences(resolved, around.layout, around.constants);
}

Expected<std::vector<uint8_t>> linkCompute(const Part &part, const Surroundings &around,
                                           const LinkOptions &options) {
  ResolvedPart resolved;
  KILN_TRY(resolve(resolved, &part, PartKind::Compute, around));
  pal::remap::Numbering numbering;
  numbering.dwords = resolved.dwords;
  numbering.literals = resolved.references;
  numbering.spillThreshold = resolved.spillThreshold;
  numbering.userDataLimit = resolved.userDataLimit;
  numbering.pipelineHash = {options.pipelineHash[0], options.pipelineHash[1]};
  const uint32_t bytes = KILN_TRY(workgroupBytes(*resolved.part, around.constants, ~0u));
  numbering.workgroupBytes = static_cast<uint32_t>(alignTo(bytes, workgroupGranule));
  auto linked = resolved.part->whole->apply(numbering);
  if (!linked)
    return asInvalid(linked.takeError());
  return std::move(*linked);
}

/// Part and glue must have been made for one another.
template <typename Signature>
Error checkGlue(const char *name, const std::optional<Signature> PartInfo::*signature,
                const ResolvedPart &part, const ResolvedPart &glue) {
  bool needed = part.part && (part.part->info.*signature).has_value();
  if (needed != (glue.part != nullptr))
    return invalidInput(Twine("link: ") + name + " glue is " + (needed ? "missing" : "not needed"));
  if (needed && part.part->info.*signature != glue.part->info.*signature)
    return invalidInput(Twine("link: ") + name + " glue has another signature than the part");
  return Error::success();
}

Error checkParts(const GraphicsLink &link) {
  if (!link.preRasterization.part)
    return invalidInput("link: no pre-rasterization part");
  for (const ResolvedPart *other : {&link.vertexFetch, &link.fragment, &link.colorExport})
    if (other->part && other->part->elfFlags != link.preRasterization.part->elfFlags)
      return invalidInput("link: parts of different targets");
  if (Error error =
          checkGlue("vertex fetch", &PartInfo::fetch, link.preRasterization, link.vertexFetch))
    return error;
  return checkGlue("color export", &PartInfo::colorExport, link.fragment, link.colorExport);
}

} // namespace

Expected<std::vector<uint8_t>> linkParts(const LinkParts &parts, const LinkLayout &layout,
                                         const LinkOptions &options) {
  const Surroundings around{LinkLayoutAccess::of(layout), parts.constants};
  if (parts.compute) {
    if (parts.vertexFetch || parts.preRasterization || parts.fragment || parts.colorExport)
      return invalidInput("link: a compute part together with graphics parts");
    return linkCompute(*parts.compute, around, options);
  }
  GraphicsLink link;
  if (Error error = resolve(link.preRasterization, parts.preRasterization,
                            PartKind::PreRasterization, around))
    return error;
  KILN_TRY(resolve(link.fragment, parts.fragment, PartKind::Fragment, around));
  KILN_TRY(resolve(link.vertexFetch, parts.vertexFetch, PartKind::VertexFetch, around));
  KILN_TRY(resolve(link.colorExport, parts.colorExport, PartKind::ColorExport, around));
  KILN_TRY(checkParts(link));
  return linkGraphics(link, options);
}

} // namespace lgc
