//===- Families.cpp - runs value instructions over edge values ------------===//
// SPDX-License-Identifier: MIT
#include "../families/Family.h"
#include "Runners.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using llvm::Expected;
using llvm::StringRef;
using llvm::Twine;

namespace exec {

namespace {

/// Instructions in one module: more would not be faster, and one failure hides less.
constexpr size_t opsPerModule = 8;

class FamilyRunner {
public:
  FamilyRunner(Session &session, Report &report, const RunOptions &options)
      : session(session), report(report), options(options) {}

  void run(const FamilySignature &signature) {
    if (std::string reason = missing(signature); !reason.empty())
      return report.skip(label(signature), reason);
    std::vector<Variant> variants = {{1, false, false}, {1, true, false}};
    bool isSmall = llvm::any_of(signature.arguments, [](ScalarType t) { return sizeOf(t) < 4; });
    if (!signature.scalarOnly) {
      variants.push_back({2, false, false});
      variants.push_back(isSmall ? Variant{3, false, false} : Variant{4, true, false});
    }
    bool hasFloat = llvm::any_of(signature.arguments, isFloat) || isFloat(signature.result);
    if (hasFloat && canBeStrict(signature)) {
      variants.push_back({1, false, true});
      variants.push_back({1, true, true});
      if (isSmall)
        variants.push_back({2, false, true});
    }
    // lavapipe is the control of the references, not the device under test; it compiles slowly.
    if (session.physical().isCpuReference())
      llvm::erase_if(variants, [](const Variant &v) { return v.vectorWidth > 1 || v.uniform; });
    for (const Variant &variant : variants)
      runVariant(signature, variant);
  }

private:
  std::string missing(const FamilySignature &signature) {
    std::vector<std::string> features;
    auto need = [&](ScalarType type) {
      using enum ScalarType;
      if (sizeOf(type) == 1)
        features.insert(features.end(), {"shaderInt8", "storageBuffer8BitAccess"});
      if (sizeOf(type) == 2)
        features.push_back("storageBuffer16BitAccess");
      if (type == I16 || type == U16)
        features.push_back("shaderInt16");
      if (type == I64 || type == U64)
        features.push_back("shaderInt64");
      if (type == F16)
        features.push_back("shaderFloat16");
      if (type == F64)
        features.push_back("shaderFloat64");
    };
    if (signature.integerFunctions)
      features.push_back("shaderIntegerFunctions2");
    need(signature.result);
    llvm::for_each(signature.arguments, need);
    return session.missing(features, {});
  }

  bool canBeStrict(const FamilySignature &signature) const {
    const VkPhysicalDeviceVulkan12Properties &p = session.physical().v12;
    auto can = [&](ScalarType type) -> bool {
      switch (type) {
      case ScalarType::F16:
        return p.shaderDenormPreserveFloat16 && p.shaderSignedZeroInfNanPreserveFloat16 &&
               p.shaderRoundingModeRTEFloat16;
      case ScalarType::F32:
        return p.shaderDenormPreserveFloat32 && p.shaderSignedZeroInfNanPreserveFloat32 &&
               p.shaderRoundingModeRTEFloat32;
      case ScalarType::F64:
        return p.shaderDenormPreserveFloat64 && p.shaderSignedZeroInfNanPreserveFloat64 &&
               p.shaderRoundingModeRTEFloat64;
      default:
        return true;
      }
    };
    return can(signature.result) && llvm::all_of(signature.arguments, can);
  }

  static std::string label(const FamilySignature &signature) {
    std::string text;
    for (ScalarType type : signature.arguments)
      text += nameOf(type).str() + " ";
    return text + "-> " + (signature.isBoolResult ? "bool" : nameOf(signature.result).str());
  }
  static std::string label(const FamilySignature &signature, const Variant &variant) {
    return label(signature) + " x" + std::to_string(variant.vectorWidth) +
           (variant.uniform ? " uniform" : "") + (variant.strict ? " strict" : "");
  }

  void runVariant(const FamilySignature &signature, const Variant &variant) {
    std::vector<const FamilyOp *> ops;
    for (const FamilyOp &op : signature.ops)
      if (op.mode == FloatMode::Both || (op.mode == FloatMode::Strict) == variant.strict)
        if (label(signature, variant).find(options.filter) != std::string::npos ||
            StringRef(op.name).contains(options.filter))
          ops.push_back(&op);
    std::vector<std::vector<uint64_t>> tuples = makeTuples(signature, variant);
    for (llvm::ArrayRef<const FamilyOp *> rest = ops; !rest.empty();) {
      size_t count = std::min(rest.size(), opsPerModule);
      if (modules++ % options.parts == options.part)
        runOps(signature, rest.take_front(count), variant, tuples);
      rest = rest.drop_front(count);
    }
  }

  /// All combinations of the arguments' values, padded to whole workgroups of vectors.
  static std::vector<std::vector<uint64_t>> makeTuples(const FamilySignature &signature,
                                                       const Variant &variant) {
    std::vector<std::vector<uint64_t>> tuples(1);
    bool few =
        signature.arguments.size() > 2 || (variant.uniform && signature.arguments.size() > 1);
    for (auto [i, type] : llvm::enumerate(signature.arguments)) {
      std::vector<uint64_t> values = edgeValues(type, few);
      if (i < signature.values.size() && !signature.values[i].empty())
        values = signature.values[i];
      std::vector<std::vector<uint64_t>> next;
      for (const auto &tuple : tuples)
        for (uint64_t value : values) {
          next.push_back(tuple);
          next.back().push_back(value);
        }
      tuples = std::move(next);
    }
    size_t unit = variant.vectorWidth * (variant.uniform ? 1 : familyGroupSize);
    while (tuples.size() % unit)
      tuples.push_back(tuples.front());
    return tuples;
  }

  void runOps(const FamilySignature &signature, llvm::ArrayRef<const FamilyOp *> ops,
              const Variant &variant, const std::vector<std::vector<uint64_t>> &tuples) {
    Job job;
    job.name = label(signature, variant);
    Expected<std::vector<uint32_t>> words =
        compileShader("family.spvasm", assemblyFor(signature, ops, variant), {});
    if (!words)
      return report.fail(job.name, llvm::toString(words.takeError()));
    job.spirv = std::move(*words);
    for (size_t a = 0; a < signature.arguments.size(); ++a) {
      Bytes &bytes = job.buffers.emplace_back();
      for (const auto &tuple : tuples)
        appendBits(signature.arguments[a], tuple[a], bytes);
    }
    job.buffers.emplace_back(tuples.size() * ops.size() * sizeOf(signature.result), 0xcc);
    for (uint32_t i = 0; i < job.buffers.size(); ++i) {
      Binding &binding = job.bindings.emplace_back();
      binding.binding = binding.resource = i;
    }
    size_t invocations = tuples.size() / variant.vectorWidth;
    job.dispatches.emplace_back().groups[0] = invocations / (variant.uniform ? 1 : familyGroupSize);
    Expected<JobResult> result = session.run(job);
    if (!result && ops.size() > 1) { // once more one by one, to name the culprit
      llvm::consumeError(result.takeError());
      for (const FamilyOp *const &op : ops)
        runOps(signature, op, variant, tuples);
      return;
    }
    if (!result)
      return report.fail(StringRef(ops[0]->name) + " " + job.name,
                         llvm::toString(result.takeError()));
    for (size_t o = 0; o < ops.size(); ++o)
      judge(signature, ops, o, variant, tuples, result->buffers.back());
  }

  void judge(const FamilySignature &signature, llvm::ArrayRef<const FamilyOp *> ops, size_t o,
             const Variant &variant, const std::vector<std::vector<uint64_t>> &tuples,
             const Bytes &results) {
    std::string name = (StringRef(ops[o]->name) + " " + label(signature, variant)).str();
    unsigned differences = 0;
    std::string first;
    for (size_t e = 0; e < tuples.size(); ++e) {
      uint64_t actual = loadBits(signature.result,
                                 results.data() + (e * ops.size() + o) * sizeOf(signature.result));
      Accept accept(signature.result, variant.strict);
      reference(signature, *ops[o], variant, tuples[e], accept);
      if (accept.holds(actual) || differences++)
        continue;
      for (size_t a = 0; a < tuples[e].size(); ++a)
        first += (a ? ", " : "(") + toText(signature.arguments[a], tuples[e][a]);
      first += ") gives " + toText(signature.result, actual) + ", expected " + accept.text();
    }
    if (differences == 0)
      return report.pass(name);
    report.fail(name,
                first + " (" + Twine(differences) + " of " + Twine(tuples.size()) + " wrong)");
  }

  /// With relaxed rules denormal operands may be taken for zeros, each for itself.
  static void reference(const FamilySignature &signature, const FamilyOp &op,
                        const Variant &variant, const std::vector<uint64_t> &tuple,
                        Accept &accept) {
    op.reference({signature.arguments.data(), tuple.data(), variant.strict}, accept);
    if (variant.strict)
      return;
    std::vector<uint64_t> flushed = tuple;
    for (size_t a = 0; a < tuple.size(); ++a) {
      ScalarType type = signature.arguments[a];
      unsigned mantissa = type == ScalarType::F16 ? 10 : type == ScalarType::F32 ? 23 : 52;
      uint64_t sign = uint64_t(1) << (8 * sizeOf(type) - 1);
      if (isFloat(type) && (tuple[a] & ~sign) < uint64_t(1) << mantissa)
        flushed[a] = tuple[a] & sign;
    }
    if (flushed != tuple)
      op.reference({signature.arguments.data(), flushed.data(), variant.strict}, accept);
  }

  Session &session;
  Report &report;
  const RunOptions &options;
  unsigned modules = 0; ///< so far, those of other parts too
};

} // namespace

void runFamilies(Session &session, Report &report, const RunOptions &options) {
  FamilyRunner runner(session, report, options);
  for (const auto &signatures : {integerSignatures(), floatSignatures(), conversionSignatures()})
    for (const FamilySignature &signature : signatures)
      runner.run(signature);
}

} // namespace exec
