//===- DrawDirectives.cpp - vertices, attachments, draws -------------------===//
// SPDX-License-Identifier: MIT
#include "DrawDirectives.h"
#include "DrawState.h"
#include "Formats.h"
#include "pal_shim/abi/Try.h"
#include "llvm/ADT/STLExtras.h"

using llvm::Error;
using llvm::Expected;
using llvm::StringRef;

namespace exec {

namespace {

Expected<uint32_t> numberOf(StringRef text, const char *what) {
  uint32_t value = 0;
  if (text.getAsInteger(0, value))
    return failure("'" + text + "' is no " + what);
  return value;
}

Expected<uint32_t> lookUp(const std::map<std::string, uint32_t> &names, StringRef name,
                          const char *what) {
  auto found = names.find(name.str());
  if (found == names.end())
    return failure(llvm::Twine("no ") + what + " '" + name + "'");
  return found->second;
}

/// BUFFER[@OFFSET]
Error placeOf(const DrawScope &scope, StringRef text, uint32_t &buffer, uint64_t &offset) {
  auto [name, at] = text.split('@');
  uint32_t found = KILN_TRY(lookUp(scope.buffers, name, "buffer"));
  buffer = found;
  if (!at.empty() && at.getAsInteger(0, offset))
    return failure("'" + at + "' is no offset");
  return Error::success();
}

/// vertex BINDING BUFFER[@OFFSET]|null STRIDE [instance=DIVISOR]
Error vertex(DrawScope &scope, const Words &words) {
  VertexBuffer buffer;
  if (words.at(0).getAsInteger(10, buffer.binding) || words.at(2).getAsInteger(0, buffer.stride))
    return failure("vertex: needs BINDING BUFFER STRIDE");
  buffer.isNull = words.at(1) == "null";
  if (!buffer.isNull)
    KILN_TRY(placeOf(scope, words.at(1), buffer.buffer, buffer.offset));
  buffer.perInstance = words.options.count("instance");
  buffer.divisor = words.number("instance", 1);
  scope.job.graphics->vertexBuffers.push_back(buffer);
  return Error::success();
}

/// attribute LOCATION BINDING FORMAT OFFSET
Error attribute(DrawScope &scope, const Words &words) {
  VkVertexInputAttributeDescription text = {};
  const FormatRow *format = findFormat(words.at(2));
  if (words.at(0).getAsInteger(10, text.location) || words.at(1).getAsInteger(10, text.binding) ||
      !format || words.at(3).getAsInteger(0, text.offset))
    return failure("attribute: needs LOCATION BINDING FORMAT OFFSET");
  text.format = format->format;
  scope.job.graphics->attributes.push_back(text);
  return Error::success();
}

/// index BUFFER[@OFFSET] u8|u16|u32
Error index(DrawScope &scope, const Words &words) {
  GraphicsSpec &spec = *scope.job.graphics;
  uint32_t buffer = 0;
  KILN_TRY(placeOf(scope, words.at(0), buffer, spec.indexOffset));
  spec.indexBuffer = buffer;
  if (words.at(1) == "u16")
    spec.indexType = VK_INDEX_TYPE_UINT16;
  else if (words.at(1) == "u32")
    spec.indexType = VK_INDEX_TYPE_UINT32;
  else if (words.at(1) == "u8")
    spec.indexType = VK_INDEX_TYPE_UINT8_EXT;
  else
    return failure("index: needs a type");
  return Error::success();
}

/// IMAGE [format=] [mip=] [layer=] [layers=] [load=load|clear|any] [resolve=IMAGE[:MODE]]
Expected<AttachmentSpec> attachment(DrawScope &scope, StringRef name, const Words &words) {
  AttachmentSpec spec;
  Expected<uint32_t> image = lookUp(scope.images, name, "image");
  if (!image)
    return image.takeError();
  spec.image = *image;
  if (StringRef format = words.text("format"); !format.empty()) {
    const FormatRow *row = findFormat(format);
    if (!row)
      return failure("unknown format '" + format + "'");
    spec.format = row->format;
  }
  spec.mip = words.number("mip", 0);
  spec.layer = words.number("layer", 0);
  spec.layers = words.number("layers", 1);
  StringRef load = words.text("load", "clear");
  spec.load = load == "load"    ? VK_ATTACHMENT_LOAD_OP_LOAD
              : load == "clear" ? VK_ATTACHMENT_LOAD_OP_CLEAR
                                : VK_ATTACHMENT_LOAD_OP_DONT_CARE;
  if (StringRef resolve = words.text("resolve"); !resolve.empty()) {
    auto [target, mode] = resolve.split(':');
    uint32_t found = KILN_TRY(lookUp(scope.images, target, "image"));
    spec.resolves = true;
    spec.resolveImage = found;
    spec.resolveMode = mode == "zero"  ? VK_RESOLVE_MODE_SAMPLE_ZERO_BIT
                       : mode == "min" ? VK_RESOLVE_MODE_MIN_BIT
                       : mode == "max" ? VK_RESOLVE_MODE_MAX_BIT
                                       : VK_RESOLVE_MODE_AVERAGE_BIT;
  }
  return spec;
}

void addUsage(Job &job, const AttachmentSpec &spec, VkImageUsageFlags usage) {
  job.images[spec.image].usage |= usage;
  if (spec.resolves)
    job.images[spec.resolveImage].usage |= usage;
}

/// color LOCATION IMAGE [clear=R,G,B,A] [cleartype=float|int] ...
Error color(DrawScope &scope, const Words &words) {
  AttachmentSpec spec = KILN_TRY(attachment(scope, words.at(1), words));
  if (words.at(0).getAsInteger(10, spec.location))
    return failure("color: needs a location");
  llvm::SmallVector<StringRef, 4> parts;
  words.text("clear", "0,0,0,0").split(parts, ',');
  for (size_t i = 0; i < parts.size() && i < 4; ++i) {
    double value = 0;
    if (words.text("cleartype") == "int") {
      if (parts[i].getAsInteger(0, spec.clear.color.int32[i]))
        return failure("color: clear needs integers");
    } else if (parts[i].getAsDouble(value)) {
      return failure("color: clear needs numbers");
    } else {
      spec.clear.color.float32[i] = static_cast<float>(value);
    }
  }
  addUsage(scope.job, spec, VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT);
  scope.job.graphics->colors.push_back(spec);
  return Error::success();
}

/// depth IMAGE [clear=VALUE] ..., stencil IMAGE [clear=VALUE] ...
Error depthOrStencil(DrawScope &scope, const Words &words, bool isDepth) {
  AttachmentSpec spec = KILN_TRY(attachment(scope, words.at(0), words));
  double clear = isDepth ? 1 : 0;
  if (words.text("clear", isDepth ? "1" : "0").getAsDouble(clear))
    return failure("clear needs a number");
  if (isDepth)
    spec.clear.depthStencil.depth = static_cast<float>(clear);
  else
    spec.clear.depthStencil.stencil = static_cast<uint32_t>(clear);
  addUsage(scope.job, spec, VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT);
  GraphicsSpec &graphics = *scope.job.graphics;
  (isDepth ? graphics.depth : graphics.stencil) = spec;
  return Error::success();
}
Error depth(DrawScope &scope, const Words &words) { return depthOrStencil(scope, words, true); }
Error stencil(DrawScope &scope, const Words &words) { return depthOrStencil(scope, words, false); }

/// rates IMAGE [mip=] [layer=] [layers=]
Error rates(DrawScope &scope, const Words &words) {
  AttachmentSpec spec = KILN_TRY(attachment(scope, words.at(0), words));
  spec.load = VK_ATTACHMENT_LOAD_OP_LOAD;
  addUsage(scope.job, spec, VK_IMAGE_USAGE_FRAGMENT_SHADING_RATE_ATTACHMENT_BIT_KHR);
  scope.job.graphics->rates = spec;
  return Error::success();
}

/// input INDEX IMAGE ...; load=load unless it is said
Error input(DrawScope &scope, const Words &words) {
  AttachmentSpec spec = KILN_TRY(attachment(scope, words.at(1), words));
  if (words.at(0).getAsInteger(10, spec.location))
    return failure("input: needs an index");
  if (words.text("load").empty())
    spec.load = VK_ATTACHMENT_LOAD_OP_LOAD;
  addUsage(scope.job, spec, VK_IMAGE_USAGE_INPUT_ATTACHMENT_BIT);
  scope.job.graphics->inputs.push_back(spec);
  return Error::success();
}

/// pass dynamic|renderpass|renderpass2 [secondary=1] [area=X,Y,W,H] [layers=N] [views=MASK]
/// [viewindex=device]
Error pass(DrawScope &scope, const Words &words) {
  GraphicsSpec &spec = *scope.job.graphics;
  if (words.at(0) == "renderpass")
    spec.pass = PassKind::RenderPass;
  else if (words.at(0) == "renderpass2")
    spec.pass = PassKind::RenderPass2;
  else if (words.at(0) != "dynamic")
    return failure("pass: dynamic, renderpass or renderpass2");
  spec.secondary = words.number("secondary", 0);
  spec.layers = words.number("layers", 1);
  spec.viewMask = words.number("views", 0);
  spec.viewIndexIsDevice = words.text("viewindex") == "device";
  std::vector<double> parts;
  if (!parseNumbers(words.text("area"), parts))
    return failure("pass: area needs four numbers");
  if (parts.size() == 4)
    spec.area = {{int32_t(parts[0]), int32_t(parts[1])}, {uint32_t(parts[2]), uint32_t(parts[3])}};
  return Error::success();
}

/// [count=N] [stride=N] [counts=BUFFER[@OFFSET]] behind BUFFER[@OFFSET]
Error indirect(DrawScope &scope, const Words &words, uint32_t stride, DrawCall &call) {
  call.indirect = true;
  call.drawCount = words.number("count", 1);
  call.stride = words.number("stride", stride);
  KILN_TRY(placeOf(scope, words.at(1), call.buffer, call.offset));
  StringRef counts = words.text("counts");
  call.count = !counts.empty();
  return call.count ? placeOf(scope, counts, call.countBuffer, call.countOffset) : Error::success();
}

/// draw multi FIRST,COUNT[,VERTEXOFFSET]... [vertexoffset=N] [instances=] [firstinstance=]
/// [indexed=1]
Error multiDraw(const Words &words, DrawCall &call) {
  for (size_t i = 1; i < words.plain.size(); ++i) {
    std::vector<double> parts;
    if (!parseNumbers(words.plain[i], parts) || parts.size() < 2 || parts.size() > 3)
      return failure("draw multi: '" + words.plain[i] + "' is no FIRST,COUNT[,VERTEXOFFSET]");
    parts.resize(3);
    call.multi.push_back({uint32_t(parts[0]), uint32_t(parts[1]), int32_t(parts[2])});
  }
  call.sharesVertexOffset = !words.text("vertexoffset").empty();
  return call.multi.empty() ? failure("draw multi: of what?") : Error::success();
}

/// draw VERTICES [instances=] [first=] [firstinstance=] [vertexoffset=] [indexed=1], or
/// draw indirect BUFFER[@OFFSET] [count=N] [stride=N] [counts=BUFFER[@OFFSET]] [indexed=1], or
/// draw multi ... (see there), or
/// draw bytes BUFFER[@OFFSET] stride=N [start=N] [instances=] [firstinstance=]; paused=1: without
/// transform feedback; patch=N, stream=N: control points of a patch and rasterization stream by
/// commands
Error draw(DrawScope &scope, const Words &words) {
  DrawCall call;
  call.indexed = words.number("indexed", 0);
  call.paused = words.number("paused", 0);
  if (!words.text("patch").empty())
    call.patch = words.number("patch", 0);
  if (!words.text("stream").empty())
    call.stream = words.number("stream", 0);
  if (words.at(0) == "bytes") {
    call.byteCount = true;
    call.stride = words.number("stride", 4);
    call.countStart = words.number("start", 0);
    call.instances = words.number("instances", 1);
    call.firstInstance = words.number("firstinstance", 0);
    KILN_TRY(placeOf(scope, words.at(1), call.buffer, call.offset));
  } else if (words.at(0) == "indirect") {
    KILN_TRY(indirect(scope, words, call.indexed ? 20 : 16, call));
  } else {
    if (words.at(0) == "multi") {
      KILN_TRY(multiDraw(words, call));
    } else {
      uint32_t vertices = KILN_TRY(numberOf(words.at(0), "number of vertices"));
      call.vertices = vertices;
    }
    call.instances = words.number("instances", 1);
    call.first = words.number("first", 0);
    call.firstInstance = words.number("firstinstance", 0);
    if (words.text("vertexoffset", "0").getAsInteger(0, call.vertexOffset))
      return failure("draw: vertexoffset needs a number");
  }
  scope.job.graphics->draws.push_back(call);
  return Error::success();
}

/// mesh X [Y [Z]], or
/// mesh indirect BUFFER[@OFFSET] [count=N] [stride=N] [counts=BUFFER[@OFFSET]]
Error mesh(DrawScope &scope, const Words &words) {
  DrawCall call;
  call.isMesh = true;
  if (words.at(0) == "indirect") {
    KILN_TRY(indirect(scope, words, 12, call));
  } else {
    for (unsigned i = 0; i < 3 && !words.at(i).empty(); ++i) {
      uint32_t count = KILN_TRY(numberOf(words.at(i), "number of workgroups"));
      call.groups[i] = count;
    }
  }
  scope.job.graphics->draws.push_back(call);
  return Error::success();
}

/// feedback BINDING BUFFER[@OFFSET] [size=N]
Error feedback(DrawScope &scope, const Words &words) {
  FeedbackBuffer spec;
  if (words.at(0).getAsInteger(10, spec.binding))
    return failure("feedback: needs BINDING BUFFER");
  KILN_TRY(placeOf(scope, words.at(1), spec.buffer, spec.offset));
  if (!words.text("size").empty())
    spec.size = words.number("size", 0);
  scope.job.graphics->feedback.push_back(spec);
  return Error::success();
}

/// counters BUFFER[@OFFSET] [load=1]
Error counters(DrawScope &scope, const Words &words) {
  GraphicsSpec &spec = *scope.job.graphics;
  uint32_t buffer = 0;
  KILN_TRY(placeOf(scope, words.at(0), buffer, spec.feedbackCountersOffset));
  spec.feedbackCounters = buffer;
  spec.loadsFeedbackCounters = words.number("load", 0);
  return Error::success();
}

/// query occlusion BUFFER[@OFFSET], query statistics BUFFER[@OFFSET] mask=BITS,
/// query feedback BUFFER[@OFFSET] [stream=N], query generated BUFFER[@OFFSET] [stream=N], or
/// query meshprimitives BUFFER[@OFFSET]
Error query(DrawScope &scope, const Words &words) {
  QuerySpec spec;
  if (words.at(0) == "statistics") {
    spec.type = VK_QUERY_TYPE_PIPELINE_STATISTICS;
    spec.statistics = words.number("mask", 0);
  } else if (words.at(0) == "feedback") {
    spec.type = VK_QUERY_TYPE_TRANSFORM_FEEDBACK_STREAM_EXT;
    spec.stream = words.number("stream", 0);
  } else if (words.at(0) == "generated") {
    spec.type = VK_QUERY_TYPE_PRIMITIVES_GENERATED_EXT;
    spec.stream = words.number("stream", 0);
  } else if (words.at(0) == "meshprimitives") {
    spec.type = VK_QUERY_TYPE_MESH_PRIMITIVES_GENERATED_EXT;
  } else if (words.at(0) != "occlusion") {
    return failure("query: occlusion, statistics, feedback, generated or meshprimitives");
  }
  KILN_TRY(placeOf(scope, words.at(1), spec.buffer, spec.offset));
  scope.job.graphics->queries.push_back(spec);
  return Error::success();
}

Error state(DrawScope &scope, const Words &words) { return applyState(*scope.job.graphics, words); }
Error blend(DrawScope &scope, const Words &words) { return applyBlend(*scope.job.graphics, words); }
Error stencilState(DrawScope &scope, const Words &words) {
  return applyStencilState(*scope.job.graphics, words);
}
Error viewport(DrawScope &scope, const Words &words) {
  return applyViewport(*scope.job.graphics, words);
}
Error scissor(DrawScope &scope, const Words &words) {
  return applyScissor(*scope.job.graphics, words);
}

struct Row {
  llvm::StringLiteral keyword;
  Error (*apply)(DrawScope &, const Words &);
};
constexpr Row rows[] = {
    {"vertex", vertex},     {"attribute", attribute}, {"index", index},
    {"color", color},       {"depth", depth},         {"stencil", stencil},
    {"pass", pass},         {"draw", draw},           {"query", query},
    {"state", state},       {"blend", blend},         {"stencilstate", stencilState},
    {"viewport", viewport}, {"scissor", scissor},     {"input", input},
    {"mesh", mesh},         {"feedback", feedback},   {"counters", counters},
    {"rates", rates},
};

} // namespace

Expected<bool> applyDrawDirective(DrawScope &scope, StringRef keyword, const Words &words) {
  const Row *row = llvm::find_if(rows, [&](const Row &r) { return r.keyword == keyword; });
  if (row == std::end(rows))
    return false;
  if (!scope.job.graphics)
    return failure("only a .draw file draws");
  KILN_TRY(row->apply(scope, words));
  return true;
}

void finishDraw(Job &job) {
  if (job.graphics->draws.empty())
    job.graphics->draws.emplace_back();
}

} // namespace exec
