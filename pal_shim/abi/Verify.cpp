//===- Verify.cpp - driver of the code object rules -----------------------===//
// SPDX-License-Identifier: MIT
#include "pal_shim/abi/Verify.h"
#include "pal_shim/abi/VerifyRules.h"

using namespace llvm;

namespace pal::abi {
namespace {

/// Hostile input may break a rule a million times.
constexpr unsigned maxReportsPerRule = 32;
constexpr StringLiteral elfFormatRule = "elf-format";
constexpr StringLiteral metadataFormatRule = "metadata-format";

class Collector {
public:
  template <class Rule, class Context>
  void run(ArrayRef<Rule> rules, const Context &context, const Twine &place) {
    for (const Rule &rule : rules) {
      unsigned reported = 0;
      rule.check(context, [&](const Twine &message) {
        if (++reported <= maxReportsPerRule)
          violations.push_back({rule.id, (place + message).str()});
      });
      if (reported > maxReportsPerRule)
        violations.push_back({rule.id, (Twine(reported - maxReportsPerRule) + " more").str()});
    }
  }
  void add(StringRef rule, Error error) {
    violations.push_back({rule, toString(std::move(error))});
  }
  std::vector<Violation> violations;
};

template <class Rule> void describe(std::vector<RuleInfo> &out, ArrayRef<Rule> rules) {
  for (const Rule &rule : rules)
    out.push_back({rule.id, rule.description});
}

} // namespace

std::vector<Violation> verifyCodeObject(ArrayRef<uint8_t> bytes, const GpuTarget *expectedTarget) {
  Collector collector;
  Expected<ElfObject> elf = ElfObject::parse(bytes);
  if (!elf) {
    collector.add(elfFormatRule, elf.takeError());
    return std::move(collector.violations);
  }
  const ElfNote *note = elf->findMetadataNote();
  if (!note)
    return verifyCodeObject(*elf, nullptr, expectedTarget);
  Expected<PipelineMetadata> md = PipelineMetadata::parse(note->desc);
  if (md)
    return verifyCodeObject(*elf, &*md, expectedTarget);
  collector.violations = verifyCodeObject(*elf, nullptr, expectedTarget);
  collector.add(metadataFormatRule, md.takeError());
  return std::move(collector.violations);
}

std::vector<Violation> verifyCodeObject(const ElfObject &elf, const PipelineMetadata *md,
                                        const GpuTarget *expectedTarget) {
  Collector collector;
  collector.run(elfRules(), ElfContext{elf, expectedTarget}, "");
  if (!md)
    return std::move(collector.violations);
  MetadataContext context{elf, *md, findTargetByMach(elf.header().flags & elf::machMask)};
  collector.run(metadataRules(), context, "");
  if (!context.isCompute())
    collector.run(graphicsRules(), context, "");
  for (unsigned i = 0; i < hardwareStageCount; ++i) {
    HardwareStage id = HardwareStage(i);
    if (!md->hardwareStage(id))
      continue;
    StageContext stage{context, id, *md->hardwareStage(id)};
    std::string place = ".hardware_stages" + hardwareStageKey(id).str();
    collector.run(stageRules(), stage, place);
    collector.run(userDataRules(), stage, place);
  }
  return std::move(collector.violations);
}

std::vector<RuleInfo> allRules() {
  std::vector<RuleInfo> rules = {
      {elfFormatRule, "the file is a well-formed 64-bit little-endian ELF"},
      {metadataFormatRule, "the metadata note is well-formed MsgPack of the ABI's shape"}};
  describe(rules, elfRules());
  describe(rules, metadataRules());
  describe(rules, graphicsRules());
  describe(rules, stageRules());
  describe(rules, userDataRules());
  return rules;
}

} // namespace pal::abi
