//===- RadvSide.cpp - what RADV makes of the same pipelines ---------------===//
// SPDX-License-Identifier: MIT
#include "RadvSide.h"
#include "llpc/StageNames.h"
#include "llpc/spirv/Module.h"
#include "pal_shim/abi/Try.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/raw_ostream.h"

using llvm::StringRef;

namespace amdllpc {

namespace {

/// RADV_FORCE_FAMILY: names of Mesa's ac_get_family_name().
struct FamilyRow {
  llvm::StringLiteral target, family;
};
constexpr FamilyRow families[] = {
    {"gfx1010", "navi10"},  {"gfx1011", "navi12"},           {"gfx1012", "navi14"},
    {"gfx1030", "navi21"},  {"gfx1031", "navi22"},           {"gfx1032", "navi23"},
    {"gfx1033", "vangogh"}, {"gfx1034", "navi24"},           {"gfx1035", "rembrandt"},
    {"gfx1100", "navi31"},  {"gfx1101", "navi32"},           {"gfx1102", "navi33"},
    {"gfx1103", "phoenix"}, {"gfx1150", "gfx1150"},          {"gfx1151", "gfx1151"},
    {"gfx1152", "gfx1152"}, {"gfx1153", "gfx1153"},          {"gfx1200", "gfx1200"},
    {"gfx1201", "gfx1201"}, {"gfx1036", "raphael_mendocino"}};

/// A module as a file, while the object lives.
class ModuleFile {
public:
  static llvm::Expected<ModuleFile> write(const llpc::ShaderModule &module) {
    llvm::SmallString<128> path;
    int descriptor = -1;
    if (std::error_code code =
            llvm::sys::fs::createTemporaryFile("amdllpc", "spv", descriptor, path))
      return lgc::invalidInput("no temporary file: " + code.message());
    ModuleFile file;
    file.remover = std::make_unique<llvm::FileRemover>(path);
    file.path = path.str().str();
    llvm::raw_fd_ostream os(descriptor, /*shouldClose=*/true);
    const llvm::ArrayRef<uint32_t> words = module.spirvModule().words();
    os.write(reinterpret_cast<const char *>(words.data()), words.size() * sizeof(uint32_t));
    // The peer's lines have blanks between their parts.
    if (StringRef(file.path).contains(' '))
      return lgc::unsupported("a temporary folder with a blank in its name");
    return file;
  }
  std::string path;

private:
  std::unique_ptr<llvm::FileRemover> remover;
};

llvm::Error checkShader(const llpc::PipelineShaderInfo &shader) {
  if (!shader.specialization.empty())
    return lgc::unsupported("specialization constants, with RADV");
  if (StringRef(shader.entryTarget).contains(' '))
    return lgc::unsupported("an entry point with a blank in its name, with RADV");
  return llvm::Error::success();
}

/// Without SGPRs, of which every wave has the same number, and waves, which RADV counts in another
/// way.
report::PlainStage stageOf(const JobResult &result, pal::abi::HardwareStage stage,
                           const radv::PeerStage &figures) {
  return {result.name,
          result.target,
          result.entry,
          pal::abi::hardwareStageKey(stage).drop_front().str(),
          {{"vgprs", figures.vgprs},
           {"lds_bytes", figures.ldsBytes},
           {"scratch_bytes", figures.scratchBytes},
           {"code_bytes", figures.codeBytes},
           {"instructions", figures.instructions}}};
}

} // namespace

llvm::Expected<radv::RadvPeer *> RadvSide::peerFor(const std::string &target) {
  std::unique_ptr<radv::RadvPeer> &peer = peers[target];
  if (peer)
    return peer.get();
  const auto *row = llvm::find_if(families, [&](const FamilyRow &r) { return r.target == target; });
  if (row == std::end(families))
    return lgc::unsupported("RADV does not know " + target);
  auto started = std::make_unique<radv::RadvPeer>();
  // Not by its path: it may have been replaced since.
  const std::string reason = started->start("/proc/self/exe", row->family.str());
  if (!reason.empty())
    return lgc::invalidInput("no RADV: " + reason);
  peer = std::move(started);
  return peer.get();
}

llvm::Error RadvSide::add(const llpc::ComputePipelineBuildInfo &info, JobResult &result) {
  KILN_TRY(checkShader(info.cs));
  const ModuleFile file = KILN_TRY(ModuleFile::write(info.cs.module));
  std::lock_guard<std::mutex> lock(mutex);
  radv::RadvPeer *peer = KILN_TRY(peerFor(result.target));
  const auto figures = peer->compile(file.path, /*statistics=*/true, info.cs.entryTarget);
  if (!figures)
    return lgc::unsupported("RADV did not compile it");
  result.radv.push_back(stageOf(result, pal::abi::HardwareStage::Cs, *figures));
  return llvm::Error::success();
}

llvm::Error RadvSide::add(const llpc::GraphicsPipelineBuildInfo &info, JobResult &result) {
  radv::GraphicsJob job = radv::jobOf(info);
  std::vector<ModuleFile> files;
  for (const llpc::StageNames &names : llpc::rasterAndComputeStages()) {
    if (names.stage == llpc::ShaderStage::Compute || !info.shader(names.stage).module)
      continue;
    const llpc::PipelineShaderInfo &shader = info.shader(names.stage);
    KILN_TRY(checkShader(shader));
    ModuleFile file = KILN_TRY(ModuleFile::write(shader.module));
    job.stages.push_back({names.vulkanFlag, shader.entryTarget, file.path});
    files.push_back(std::move(file));
  }
  std::lock_guard<std::mutex> lock(mutex);
  radv::RadvPeer *peer = KILN_TRY(peerFor(result.target));
  const auto made = peer->compileGraphics(job, /*statistics=*/true);
  if (!made)
    return lgc::unsupported("RADV did not compile it");
  for (const llpc::HardwareStageStatistics &ours : result.stages) {
    uint32_t flags = 0;
    for (const llpc::ShaderStage shader : ours.shaders)
      flags |= llpc::namesOf(shader).vulkanFlag;
    const radv::PeerStage *theirs = nullptr;
    for (const radv::GraphicsPeerResult::Stage &stage : made->stages)
      if (stage.vkStages & flags)
        theirs = &stage; // the last one: of merged stages that which has the code
    if (theirs)
      result.radv.push_back(stageOf(result, ours.stage, *theirs));
  }
  return llvm::Error::success();
}

} // namespace amdllpc
