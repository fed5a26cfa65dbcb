//===- KeyBench.h - how long keys take ------------------------------------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "Timing.h"
#include "lgc/CompileError.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"
#include <string>
#include <vector>

namespace bench {

/// Microseconds a key by kind, of modules whose reflection is there already.
class KeyTimes {
public:
  /// Calls \p make, which returns an Expected or a value, as often as it takes to time it.
  template <typename Make> void measure(const std::string &kind, Make make) {
    constexpr unsigned repeats = 200;
    auto once = [&] {
      if constexpr (requires { make().takeError(); })
        llvm::consumeError(make().takeError());
      else
        make();
    };
    once();
    const double start = threadCpuMs();
    for (unsigned i = 0; i < repeats; ++i)
      once();
    add(kind, (threadCpuMs() - start) * 1000 / repeats);
  }

  void print() const {
    for (const auto &[kind, values] : times)
      llvm::outs() << llvm::formatv("key of the {0}: {1:f2} us median of {2}, {3:f2} us at most\n",
                                    kind, median(values), values.size(),
                                    *std::max_element(values.begin(), values.end()));
  }

private:
  void add(const std::string &kind, double us) {
    for (auto &[name, values] : times)
      if (name == kind) {
        values.push_back(us);
        return;
      }
    times.push_back({kind, {us}});
  }
  std::vector<std::pair<std::string, std::vector<double>>> times;
};

} // namespace bench
