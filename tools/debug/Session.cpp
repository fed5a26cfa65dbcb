//===- Session.cpp - breakpoints and steps ---------------------------------===//
// SPDX-License-Identifier: MIT
#include "tools/debug/Session.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>

using llvm::StringRef;
using pal::device::DrawInvocation;
using pal::device::StoppedWave;

namespace debug {

FrontEnd::~FrontEnd() = default;

bool isSameFile(StringRef a, StringRef b) {
  if (a.size() < b.size())
    std::swap(a, b);
  if (!a.ends_with(b))
    return false;
  return a.size() == b.size() || b.empty() || a[a.size() - b.size() - 1] == '/';
}

std::vector<uint32_t> Session::setBreakpoints(StringRef file, llvm::ArrayRef<uint32_t> lines) {
  llvm::erase_if(breakpoints, [&](const Breakpoint &old) { return old.file == file; });
  std::vector<uint32_t> found;
  for (const uint32_t line : lines) {
    uint32_t next = 0;
    for (const Frame &statement : info.statements())
      if (isSameFile(statement.file, file) && statement.line >= line &&
          (!next || statement.line < next))
        next = statement.line;
    found.push_back(next);
    if (next)
      breakpoints.push_back({file.str(), next});
  }
  return found;
}

std::array<uint32_t, 3> Session::idOf(const StoppedWave &wave, unsigned lane) const {
  const uint32_t local = wave.index() * wave.lanes() + lane;
  const std::array<uint32_t, 3> group = wave.group();
  return {group[0] * groupSize[0] + local % groupSize[0],
          group[1] * groupSize[1] + local / groupSize[0] % groupSize[1],
          group[2] * groupSize[2] + local / groupSize[0] / groupSize[1]};
}

namespace {

std::string listOf(std::array<uint32_t, 3> id) {
  return "(" + llvm::utostr(id[0]) + ", " + llvm::utostr(id[1]) + ", " + llvm::utostr(id[2]) + ")";
}

uint32_t localIndex(const StoppedWave &wave, unsigned lane) {
  return wave.index() * wave.lanes() + lane;
}

std::string describeFragment(const DrawInvocation &who) {
  return std::string(who.isHelper ? "helper of " : "") + "pixel (" + std::to_string(who.x) + ", " +
         std::to_string(who.y) + "), sample " + llvm::utostr(who.sample);
}

/// What a lane is called in the shaders of graphics pipelines; empty: nothing is known.
std::string describeDrawn(const StoppedWave &wave, unsigned lane, StringRef shader) {
  const DrawInvocation who = wave.invocation(lane);
  if (who.kind == DrawInvocation::Kind::Fragment)
    return describeFragment(who);
  if (who.kind == DrawInvocation::Kind::Vertex && shader == "VS")
    return "vertex " + llvm::utostr(who.vertex) + ", instance " + llvm::utostr(who.instance);
  if (who.primitive && (shader == "TCS" || shader == "GS"))
    return (shader == "GS" ? "primitive " : "patch ") + llvm::utostr(who.primitive->number) +
           ", invocation " + llvm::utostr(who.primitive->invocation);
  if (who.point && shader == "TES")
    return llvm::formatv("patch {0}, point ({1:f4}, {2:f4})", who.point->patch, who.point->u,
                         who.point->v);
  if (shader == "TS" || (shader == "MS" && who.workgroup))
    return "workgroup " + listOf(shader == "TS" ? wave.group() : *who.workgroup) + ", invocation " +
           llvm::utostr(localIndex(wave, lane));
  return "";
}

bool matches(const std::optional<Selection::Primitive> &wanted,
             const std::optional<DrawInvocation::Primitive> &found) {
  return wanted && found && wanted->number == found->number &&
         (!wanted->invocation || *wanted->invocation == found->invocation);
}

/// Coordinates are written with a few digits.
bool matches(const std::optional<Selection::Point> &wanted,
             const std::optional<DrawInvocation::Point> &found) {
  constexpr double tolerance = 1.0 / 1024;
  return wanted && found && wanted->patch == found->patch &&
         (!wanted->at || (std::abs((*wanted->at)[0] - double(found->u)) <= tolerance &&
                          std::abs((*wanted->at)[1] - double(found->v)) <= tolerance));
}

bool matches(const std::optional<Selection::GroupMember> &wanted,
             const std::optional<std::array<uint32_t, 3>> &group, uint32_t index) {
  return wanted && group && wanted->group == *group && (!wanted->index || *wanted->index == index);
}

bool matchesFragment(const Selection &wanted, const DrawInvocation &who) {
  auto covers = [](uint32_t wanted, int32_t first, uint32_t size) {
    return int64_t(wanted) >= first && int64_t(wanted) < int64_t(first) + size;
  };
  return (!wanted.sample || *wanted.sample == who.sample) &&
         (!wanted.pixel || (covers((*wanted.pixel)[0], who.x, who.width) &&
                            covers((*wanted.pixel)[1], who.y, who.height)));
}

} // namespace

bool Selection::hasAny() const {
  return invocation || pixel || sample || vertex || instance || control || geometry || evaluation ||
         task || mesh;
}

std::string Session::describe(const StoppedWave &wave, unsigned lane, StringRef shader) const {
  if (wave.stage() == pal::abi::HardwareStage::Cs && shader == "CS")
    return "invocation " + listOf(idOf(wave, lane));
  const std::string text = describeDrawn(wave, lane, shader);
  return text.empty() ? "lane " + llvm::utostr(lane) : text;
}

bool Session::isChosen(const StoppedWave &wave, unsigned lane, StringRef shader) const {
  const DrawInvocation who = wave.invocation(lane);
  if (shader == "FS")
    return (wanted.pixel || wanted.sample) && matchesFragment(wanted, who);
  if (shader == "VS")
    return (wanted.vertex || wanted.instance) && (!wanted.vertex || *wanted.vertex == who.vertex) &&
           (!wanted.instance || *wanted.instance == who.instance);
  if (shader == "CS")
    return wanted.invocation && idOf(wave, lane) == *wanted.invocation;
  if (shader == "TCS")
    return matches(wanted.control, who.primitive);
  if (shader == "TES")
    return matches(wanted.evaluation, who.point);
  if (shader == "GS")
    return matches(wanted.geometry, who.primitive);
  if (shader == "TS")
    return matches(wanted.task, wave.group(), localIndex(wave, lane));
  return shader == "MS" && matches(wanted.mesh, who.workgroup, localIndex(wave, lane));
}

bool Session::mayStop(const StoppedWave &wave, unsigned lane, StringRef shader) const {
  if (shader == "FS" && wave.invocation(lane).isHelper)
    return false;
  return !wanted.hasAny() || isChosen(wave, lane, shader);
}

/// Statements are marked (lgc/pipeline/KeepVariables.cpp).
bool Session::stopsAt(pal::abi::HardwareStage, uint32_t pc, StringRef mnemonic) {
  isEnd = mnemonic == "s_endpgm";
  return isEnd || mnemonic == "s_ttracedata_imm";
}

bool Session::isFollowed(const StoppedWave &wave) const {
  return mode == Mode::Step && wave.stage() == followed.stage && wave.group() == followed.group &&
         wave.index() == followed.wave;
}

/// The lane that may stop here.
std::optional<unsigned> Session::laneFor(const StoppedWave &wave, StringRef shader) const {
  const uint64_t active = wave.exec();
  if (mode == Mode::Step) {
    if (!isFollowed(wave) || !(active >> followed.lane & 1))
      return std::nullopt;
    return followed.lane;
  }
  for (unsigned lane = 0; lane < wave.lanes(); ++lane)
    if ((active >> lane & 1) && mayStop(wave, lane, shader))
      return lane;
  return std::nullopt;
}

std::optional<Stop::Reason> Session::reasonAt(const StoppedWave &wave,
                                              const std::vector<Frame> &frames) const {
  const Frame &here = frames.front();
  if (mode == Mode::Entry)
    return Stop::Reason::Entry;
  // A statement of several blocks is marked in each; a loop comes back to its begin.
  const bool isSameStatement = last == Invocation{wave.stage(), wave.group(), wave.index(), 0} &&
                               here.line == lastFrame.line && here.file == lastFrame.file &&
                               here.instance == lastFrame.instance && wave.pc() > lastPc;
  if (!isSameStatement && llvm::any_of(breakpoints, [&](const Breakpoint &point) {
        return point.line == here.line && isSameFile(here.file, point.file);
      }))
    return Stop::Reason::Breakpoint;
  if (mode != Mode::Step || isSameStatement)
    return std::nullopt;
  const bool stops = step == Resume::StepIn || (step == Resume::Next && frames.size() <= depth) ||
                     (step == Resume::StepOut && frames.size() < depth);
  return stops ? std::optional(Stop::Reason::Step) : std::nullopt;
}

const std::vector<Frame> &Session::framesOf(const StoppedWave &wave) {
  const auto [found, isNew] = frames.try_emplace(wave.pc());
  if (isNew)
    found->second = info.framesAt(wave.pc());
  return found->second;
}

bool Session::stopped(const StoppedWave &wave) {
  if (mode == Mode::End)
    return false;
  if (isEnd) {
    // Who is followed has come to its end: whoever reaches a breakpoint is next.
    if (isFollowed(wave))
      mode = Mode::Run;
    return true;
  }
  const std::vector<Frame> &frames = framesOf(wave);
  if (frames.empty() || !frames.front().line)
    return true;
  const std::optional<unsigned> lane = laneFor(wave, frames.front().shader);
  if (!lane)
    return true;
  const std::optional<Stop::Reason> reason = reasonAt(wave, frames);
  last = {wave.stage(), wave.group(), wave.index(), 0};
  lastFrame = frames.front();
  lastPc = wave.pc();
  if (!reason)
    return true;
  depth = frames.size();
  followed = {wave.stage(), wave.group(), wave.index(), *lane};
  step = frontEnd.stopped({wave, *lane, frames, *reason});
  mode = step == Resume::End ? Mode::End : step == Resume::Continue ? Mode::Run : Mode::Step;
  return mode != Mode::End;
}

} // namespace debug
