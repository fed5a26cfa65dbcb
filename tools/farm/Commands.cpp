//===- Commands.cpp - the commands of kiln-farm ---------------------------===//
// SPDX-License-Identifier: MIT
#include "Commands.h"
#include "ItemCompiler.h"
#include "Progress.h"
#include "icd_glue/context/CompilerIdentity.h"
#include "lgc/CompileError.h"
#include "pal_shim/abi/TargetInfo.h"
#include "pal_shim/abi/Try.h"
#include "tools/cli/Arguments.h"
#include "tools/cli/Interrupt.h"
#include "tools/cli/Progress.h"
#include "tools/pcc/InputHash.h"
#include "llvm/Support/FormatVariadic.h"
#include <ctime>
#include <optional>
#include <sys/prctl.h>
#include <unistd.h>

using namespace llvm;

namespace farm {
namespace {

constexpr char help[] = R"(usage: kiln-farm COMMAND [OPTIONS]
Compiles many pipelines on one or many machines; all commands may be repeated.

  plan -o RUN --targets=LIST INPUT...
                   makes the folder RUN of Fossilize databases (.foz), captures (.json), .pipe files
                   with SPIR-V beside, JSON of Vulkan SC, and folders of them; equal pipelines once
  run RUN          compiles; of what is there already nothing is compiled again
  retry RUN        compiles again what was poison, with the limits that are given
  merge RUN        writes caches and code: --disk-cache=FILE and others, --sign: with signatures;
                   see `kiln-farm merge --help`
  status RUN       how far it is
  verify FILES     are they what merge signed? --keys=FILE: lines "public HEX"
  public           prints the line "public HEX" of --keys=FILE, in which is "sign HEX"

Options of run and retry:
  --task=I/N       some of it, for N machines: I from 0; without: all
  -j N             compilers at once; default: as many as there are processors
  --seconds=N      that one pipeline may take, on one target; default 120
  --memory=MB      of addresses, that a compiler may use; default 4096
  --attempt=N      how often it was tried before: exit code 75, "try again", only up to 2
  --all            run: compiles all of it again, and compares it with what is there
  --failed         retry: also what the compiler refused
  --server=ADDRESS results that other runs have made (Redis, Valkey): unix:PATH, tcp:HOST:PORT or
                   tls:HOST:PORT
  --keys=FILE      of them: "name HEX", "seal HEX" and others, a line each; mode 600
  --audit=N        one in N of them is compiled all the same, and compared; default 1000, 0: none
  --quiet          no progress

Options of status:
  --format=text|json|prometheus|html

Exit codes: 0; 1 errors; 2 usage; 3 two compilations of one thing differ; 75 no room on the disk
or the like: try again; 130 interrupted, what is finished stays. Pipelines with errors, and those
that end their compiler twice (poison), are results like others.

Examples:
  kiln-farm plan -o run --targets=gfx1030,gfx1100,gfx1201 steamapp.foz captures/
  kiln-farm run run
  kiln-farm run /shared/run --task=7/100      # one of a hundred tasks, on any machine
  kiln-farm status run
  kiln-farm merge run --disk-cache=cache-1.db --keys=keys --sign
  kiln-farm verify --keys=public cache-1.db
)";

struct Options {
  std::string folder;
  std::vector<std::string> targets = {"gfx1100"};
  std::vector<std::string> files;
  uint64_t task = 0, tasks = 1;
  unsigned children = 0, attempt = 0;
  Limits limits;
  std::string server, keys;
  unsigned audit = 1000;
  StatusFormat format = StatusFormat::Text;
  bool all = false, failed = false, quiet = false, help = false;
};

Error setTask(Options &options, StringRef value) {
  const auto [task, tasks] = value.split('/');
  if (task.getAsInteger(10, options.task) || tasks.getAsInteger(10, options.tasks) ||
      options.task >= options.tasks || options.tasks > 1000000)
    return lgc::invalidInput("'" + value + "' is no task I/N with I below N");
  return Error::success();
}

Error setFormat(Options &options, StringRef value) {
  constexpr std::pair<const char *, StatusFormat> formats[] = {
      {"text", StatusFormat::Text},
      {"json", StatusFormat::Json},
      {"prometheus", StatusFormat::Prometheus},
      {"html", StatusFormat::Html}};
  for (const auto &[name, format] : formats)
    if (value == name) {
      options.format = format;
      return Error::success();
    }
  return lgc::invalidInput("'" + value + "' is none of text, json, prometheus, html");
}

Error parse(ArrayRef<const char *> arguments, Options &options) {
  unsigned seconds = 0, megabytes = 0;
  const cli::Option table[] = {
      {"h|help", &options.help},
      {"o|output", &options.folder},
      {"targets", [&](StringRef value) { return cli::setList(options.targets, value); }, "LIST"},
      {"task", [&](StringRef value) { return setTask(options, value); }, "I/N"},
      {"j", &options.children, {}, /*isJoined=*/true},
      {"seconds", &seconds},
      {"memory", &megabytes},
      {"attempt", &options.attempt},
      {"server", &options.server},
      {"keys", &options.keys},
      {"audit", &options.audit},
      {"all", &options.all},
      {"failed", &options.failed},
      {"format", [&](StringRef value) { return setFormat(options, value); }, "FORMAT"},
      {"quiet", &options.quiet}};
  KILN_TRY(cli::parse(arguments, table, &options.files));
  if (seconds)
    options.limits.seconds = seconds;
  if (megabytes)
    options.limits.memory = uint64_t(megabytes) << 20;
  if (!options.children)
    options.children = static_cast<unsigned>(std::max(1L, sysconf(_SC_NPROCESSORS_ONLN)));
  return Error::success();
}

/// A hash of it: it is not text.
std::string compilerName() { return toText(nameOf(bytesOf(icd::compilerIdentity()))); }

void say(StringRef text) { errs() << "kiln-farm: " << text << "\n"; }

/// Not of the farm's doing, and perhaps gone when it is tried again.
int codeOf(Error error, unsigned attempt) {
  const lgc::ErrorText text = lgc::consumeToText(std::move(error));
  say(text.message);
  constexpr unsigned mostAttempts = 3;
  return text.kind == lgc::ErrorKind::LimitExceeded && attempt + 1 < mostAttempts ? exitLater
                                                                                  : exitFault;
}

//===--- plan -------------------------------------------------------------===//

int planCommand(const Options &options) {
  if (options.folder.empty() || options.files.empty())
    return fail(lgc::invalidInput("plan needs -o RUN and inputs"), exitUsage);
  PlanOptions how;
  how.folder = options.folder;
  if (icd::compilerIdentity().empty())
    return fail(lgc::unsupported("LLVM's library does not say which one it is (no build id)"));
  how.compiler = compilerName();
  how.inputs = options.files;
  for (const std::string &name : options.targets) {
    const pal::abi::GpuTarget *target = pal::abi::findTarget(name);
    if (!target)
      return fail(lgc::unsupported("target " + name), exitUsage);
    how.targets.push_back(target->name.str());
  }
  if (const char *level = secure_getenv(pcc::levelVariable); level && *level) {
    unsigned number = 0;
    if (StringRef(level).getAsInteger(10, number) || number > 3)
      return fail(lgc::invalidInput(Twine(pcc::levelVariable) + ": no level of optimisation"));
    how.optLevel = number;
  }
  how.readSc = readScPipeline;
  how.fault = say;
  how.goesOn = [] { return !cli::isInterrupted(); };
  auto planned = makePlan(how);
  if (!planned)
    return fail(planned.takeError(),
                cli::isInterrupted() ? int(cli::interruptedExitCode) : int(exitFault));
  if (!options.quiet)
    outs() << formatv(
        "{0} pipelines, {1} of them different, {2} modules, {3} targets, {4} buckets; "
        "{5} errors\nplan {6}\n",
        planned->inputs, planned->plan.items, planned->modules, planned->plan.targets.size(),
        planned->plan.buckets, planned->faults, toText(planned->plan.hash));
  return planned->faults ? exitFault : exitGood;
}

//===--- run, retry -------------------------------------------------------===//

/// Shows and writes how far a task is.
class Watch {
public:
  Watch(const Plan &plan, bool isQuiet) : plan(plan), isQuiet(isQuiet) {}
  void operator()(const TaskState &state) {
    // Nothing depends on it: where there is no room the buckets say so.
    if (state.isDone || seconds() >= writtenAt + writeSeconds) {
      writtenAt = seconds();
      consumeError(writeProgress(plan, state));
    }
    if (state.isDone)
      consumeError(appendStats(plan, state));
    if (!bar)
      bar.emplace("kiln-farm", "pipelines", state.units, isQuiet);
    bar->update(state.done);
    last = state;
  }
  void clear() {
    if (bar)
      bar->clear();
  }
  TaskState last;

private:
  static constexpr double writeSeconds = 5;
  const Plan &plan;
  const bool isQuiet;
  double writtenAt = -writeSeconds;
  std::optional<cli::Progress> bar;
};

/// Null: none is asked for.
Expected<std::unique_ptr<SharedTier>> openTier(const Options &options, const Plan &plan) {
  if (options.server.empty())
    return nullptr;
  if (options.keys.empty())
    return lgc::invalidInput("--server needs --keys");
  // Children have the parent's user, and must not look into it.
  prctl(PR_SET_DUMPABLE, 0);
  icd::RespClient::Options server;
  server.address = KILN_TRY(icd::ServerAddress::parse(options.server));
  icd::Secrets keys = KILN_TRY(icd::Secrets::load(options.keys));
  return SharedTier::create(plan, std::move(keys), std::move(server));
}

Expected<TaskEnd> compileTask(const Options &options, bool isRetry,
                              const std::function<StartCompiler(StartCompiler)> &around) {
  Plan plan = KILN_TRY(Plan::load(options.files.front()));
  if (plan.compiler != compilerName())
    return lgc::invalidInput("the plan is of another compiler: " + plan.compiler +
                             "; this one is " + compilerName());
  std::unique_ptr<Pack> pack = KILN_TRY(Pack::open(plan.file("pack")));
  PlanHasher hasher(plan);
  for (const PackRow &row : pack->items())
    hasher.add(row);
  if (hasher.finish() != plan.hash)
    return lgc::invalidInput("the pack is not what the plan was made of");
  Watch watch(plan, options.quiet);
  std::unique_ptr<SharedTier> tier = KILN_TRY(openTier(options, plan));
  TaskOptions how;
  how.tier = tier.get();
  how.auditOneIn = options.audit;
  how.task = options.task;
  how.tasks = options.tasks;
  how.children = options.children;
  how.limits = options.limits;
  how.compilesAll = options.all;
  how.again = {isRetry, isRetry && options.failed};
  how.start = [start = compilerOf(plan, *pack), tier = tier.get()](const std::string &folder) {
    if (tier) {
      tier->forget();
      prctl(PR_SET_DUMPABLE, 1);
    }
    return start(folder);
  };
  if (around)
    how.start = around(how.start);
  how.goesOn = [] { return !cli::isInterrupted(); };
  how.message = [&](StringRef text) {
    watch.clear();
    say(text);
  };
  how.progress = [&](const TaskState &state) { watch(state); };
  auto end = runTask(plan, *pack, how);
  watch.clear();
  const TaskState &state = watch.last;
  if (end && !options.quiet)
    outs() << formatv("{0} done: {1} good, {2} failed, {3} skipped, {4} poison; {5} of {6} "
                      "buckets were there; CPU {7:f1} s\n",
                      state.done, state.byStatus[1], state.byStatus[2], state.byStatus[3],
                      state.byStatus[4], state.bucketsThere, state.buckets, state.cpuMs / 1000);
  if (end && tier && !options.quiet)
    outs() << formatv(
        "server: {0} hits, {1} misses, {2} forged, {3} without an answer, {4} failures, "
        "{5} stored; {6} audited\n",
        tier->counters().hits, tier->counters().misses, tier->counters().forged,
        tier->counters().unknown, tier->serverCounters().failures(), tier->counters().stored,
        state.audited);
  return end;
}

int runCommand(const Options &options, bool isRetry,
               const std::function<StartCompiler(StartCompiler)> &around) {
  if (options.files.size() != 1)
    return fail(lgc::invalidInput("one folder that plan has made is needed"), exitUsage);
  auto end = compileTask(options, isRetry, around);
  if (!end)
    return codeOf(end.takeError(), options.attempt);
  switch (*end) {
  case TaskEnd::Done:
    return exitGood;
  case TaskEnd::Interrupted:
    return cli::interruptedExitCode;
  case TaskEnd::Differs:
    return exitDiffers;
  }
  return exitFault;
}

//===--- status -----------------------------------------------------------===//

int statusCommand(const Options &options) {
  if (options.files.size() != 1)
    return fail(lgc::invalidInput("one folder that plan has made is needed"), exitUsage);
  auto plan = Plan::load(options.files.front());
  if (!plan)
    return fail(plan.takeError());
  outs() << statusText(*plan, readRun(*plan), static_cast<double>(std::time(nullptr)),
                       options.format);
  return exitGood;
}

//===--- verify, public ---------------------------------------------------===//

int verifyCommand(const Options &options) {
  if (options.files.empty() || options.keys.empty())
    return fail(lgc::invalidInput("verify needs --keys=FILE and files"), exitUsage);
  auto keys = icd::Secrets::load(options.keys);
  if (!keys)
    return fail(keys.takeError());
  auto verifier = icd::Verifier::create(keys->publics);
  if (!verifier)
    return fail(verifier.takeError());
  int code = exitGood;
  for (const std::string &path : options.files) {
    if (Error error = (*verifier)->verifyFile(path))
      code = fail(std::move(error));
    else if (!options.quiet)
      outs() << path << ": good\n";
  }
  return code;
}

int publicCommand(const Options &options) {
  if (!options.files.empty() || options.keys.empty())
    return fail(lgc::invalidInput("public needs --keys=FILE, and no more"), exitUsage);
  auto keys = icd::Secrets::load(options.keys);
  if (!keys)
    return fail(keys.takeError());
  auto signer = signerOf(*keys);
  if (!signer)
    return fail(signer.takeError());
  outs() << "public " << icd::hexOf((*signer)->publicKey()) << "\n";
  return exitGood;
}

} // namespace

Expected<std::unique_ptr<icd::Signer>> signerOf(const icd::Secrets &keys) {
  if (!keys.sign)
    return lgc::invalidInput("no key to sign with: a line \"sign HEX\"");
  return icd::Signer::create(*keys.sign);
}

int fail(Error error, int code) {
  say(lgc::consumeToText(std::move(error)).message);
  return code;
}

int mainOf(ArrayRef<const char *> arguments,
           const std::function<StartCompiler(StartCompiler)> &around) {
  const StringRef command = arguments.empty() ? "" : arguments.front();
  if (command == "-h" || command == "--help") {
    outs() << help;
    return exitGood;
  }
  if (command.empty()) {
    errs() << help;
    return exitUsage;
  }
  cli::catchInterrupts();
  if (command == "merge")
    return mergeCommand(arguments.drop_front());
  Options options;
  if (Error error = parse(arguments.drop_front(), options))
    return fail(std::move(error), exitUsage);
  if (options.help) {
    outs() << help;
    return exitGood;
  }
  if (command == "plan")
    return planCommand(options);
  if (command == "run" || command == "retry")
    return runCommand(options, command == "retry", around);
  if (command == "status")
    return statusCommand(options);
  if (command == "verify")
    return verifyCommand(options);
  if (command == "public")
    return publicCommand(options);
  return fail(lgc::invalidInput("no command '" + command + "'; --help lists them"), exitUsage);
}

} // namespace farm
