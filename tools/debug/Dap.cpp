//===- Dap.cpp - the Debug Adapter Protocol ---------------------------------===//
// SPDX-License-Identifier: MIT
#include "tools/debug/Dap.h"
#include "lgc/CompileError.h"
#include "pal_shim/abi/Try.h"
#include "tools/debug/Choice.h"
#include "tools/debug/Message.h"
#include "tools/debug/Session.h"
#include "tools/debug/ShaderRun.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <map>

using llvm::StringRef;

namespace debug {

namespace {

class DapServer : public FrontEnd {
public:
  int run();
  Resume stopped(const Stop &stop) override;

private:
  /// What a request is answered with: a body, or an error.
  using Handler = llvm::Expected<Json> (DapServer::*)(const Json &arguments);
  struct Row {
    StringRef command;
    Handler handler;
  };
  static llvm::ArrayRef<Row> rows();

  void answer(const Json &request);
  void sendEvent(StringRef name, Json body);
  void execute();

  llvm::Expected<Json> initialize(const Json &arguments);
  llvm::Expected<Json> launch(const Json &arguments);
  llvm::Expected<Json> setBreakpoints(const Json &arguments);
  llvm::Expected<Json> ignore(const Json &arguments);
  llvm::Expected<Json> configurationDone(const Json &arguments);
  llvm::Expected<Json> threads(const Json &arguments);
  llvm::Expected<Json> stackTrace(const Json &arguments);
  llvm::Expected<Json> scopes(const Json &arguments);
  llvm::Expected<Json> variables(const Json &arguments);
  llvm::Expected<Json> evaluate(const Json &arguments);
  llvm::Expected<Json> goOn(const Json &arguments);
  llvm::Expected<Json> next(const Json &arguments);
  llvm::Expected<Json> stepIn(const Json &arguments);
  llvm::Expected<Json> stepOut(const Json &arguments);
  llvm::Expected<Json> disconnect(const Json &arguments);

  llvm::Expected<Json> resumeWith(Resume how);
  std::vector<Value> valuesOf(uint64_t frameId) const;
  Json shown(const Value &value);

  std::unique_ptr<ShaderRun> shader;
  std::unique_ptr<Session> session;
  const Stop *current = nullptr; ///< while an invocation has stopped
  std::optional<Resume> resume;
  std::vector<std::vector<Value>> references; ///< variablesReference - 1
  bool isConfigured = false, hasExecuted = false, isDone = false;
  uint64_t sequence = 0;
};

llvm::ArrayRef<DapServer::Row> DapServer::rows() {
  static constexpr Row all[] = {
      {"initialize", &DapServer::initialize},
      {"launch", &DapServer::launch},
      {"setBreakpoints", &DapServer::setBreakpoints},
      {"setExceptionBreakpoints", &DapServer::ignore},
      {"setFunctionBreakpoints", &DapServer::ignore},
      {"configurationDone", &DapServer::configurationDone},
      {"threads", &DapServer::threads},
      {"stackTrace", &DapServer::stackTrace},
      {"scopes", &DapServer::scopes},
      {"variables", &DapServer::variables},
      {"evaluate", &DapServer::evaluate},
      {"continue", &DapServer::goOn},
      {"next", &DapServer::next},
      {"stepIn", &DapServer::stepIn},
      {"stepOut", &DapServer::stepOut},
      {"disconnect", &DapServer::disconnect},
      {"terminate", &DapServer::disconnect},
  };
  return all;
}

void DapServer::sendEvent(StringRef name, Json body) {
  Json event;
  event["seq"] = ++sequence;
  event["type"] = "event";
  event["event"] = name.str();
  event["body"] = std::move(body);
  writeMessage(event);
}

void DapServer::answer(const Json &request) {
  const std::string command = textOf(request, "command");
  Json response;
  response["type"] = "response";
  response["request_seq"] = numberOf(request, "seq").value_or(0);
  response["command"] = command;
  const Row *row = llvm::find_if(rows(), [&](const Row &each) { return each.command == command; });
  llvm::Expected<Json> body = row == rows().end()
                                  ? lgc::unsupported("request '" + command + "'")
                                  : (this->*row->handler)(objectOf(request, "arguments"));
  response["success"] = bool(body);
  if (body)
    response["body"] = std::move(*body);
  else
    response["message"] = llvm::toString(body.takeError());
  response["seq"] = ++sequence;
  writeMessage(response);
  // Only now breakpoints can be given lines that have statements.
  if (command == "launch" && shader && !isConfigured)
    sendEvent("initialized", Json::object());
}

// --- Before anything runs

llvm::Expected<Json> DapServer::initialize(const Json &) {
  Json body;
  body["supportsConfigurationDoneRequest"] = true;
  body["supportsEvaluateForHovers"] = true;
  body["supportsTerminateRequest"] = true;
  return body;
}

/// What cannot be meant is left out.
static Selection selectionOf(const Json &arguments) {
  Selection selection;
  for (const Choice &choice : choices()) {
    if (const std::optional<uint32_t> number = dwordOf(arguments, choice.name))
      llvm::consumeError(choose(selection, choice, {double(*number)}));
    llvm::SmallVector<double> numbers;
    for (const Json &number : listOf(arguments, choice.name))
      numbers.push_back(number.is_number() ? number.get<double>() : -1);
    if (!numbers.empty())
      llvm::consumeError(choose(selection, choice, numbers));
  }
  return selection;
}

llvm::Expected<Json> DapServer::launch(const Json &arguments) {
  if (shader)
    return lgc::invalidInput("a shader has been launched already");
  LaunchOptions options;
  for (const Json &file : listOf(arguments, "program"))
    options.files.push_back(file.is_string() ? file.get<std::string>() : std::string());
  if (options.files.empty())
    options.files = {textOf(arguments, "program")};
  options.entry = textOf(arguments, "entry");
  if (const std::string target = textOf(arguments, "target"); !target.empty())
    options.target = target;
  auto prepared = ShaderRun::prepare(options);
  if (!prepared)
    return prepared.takeError();
  shader = std::move(*prepared);
  for (const std::string &warning : shader->warnings())
    sendEvent("output", {{"category", "console"}, {"output", warning + "\n"}});
  session = std::make_unique<Session>(shader->info(), shader->groupSize(), *this);
  session->select(selectionOf(arguments));
  if (flagOf(arguments, "stopOnEntry"))
    session->stopAtEntry();
  return Json::object();
}

llvm::Expected<Json> DapServer::setBreakpoints(const Json &arguments) {
  if (!session)
    return lgc::invalidInput("nothing has been launched");
  std::vector<uint32_t> lines;
  for (const Json &breakpoint : listOf(arguments, "breakpoints"))
    lines.push_back(uint32_t(numberOf(breakpoint, "line").value_or(0)));
  Json all = Json::array();
  for (const uint32_t line :
       session->setBreakpoints(textOf(objectOf(arguments, "source"), "path"), lines)) {
    Json breakpoint;
    breakpoint["verified"] = line != 0;
    if (line)
      breakpoint["line"] = line;
    else
      breakpoint["message"] = "no statement there, or behind it";
    all.push_back(std::move(breakpoint));
  }
  Json body;
  body["breakpoints"] = std::move(all);
  return body;
}

llvm::Expected<Json> DapServer::ignore(const Json &) { return Json::object(); }

llvm::Expected<Json> DapServer::configurationDone(const Json &) {
  if (!session)
    return lgc::invalidInput("nothing has been launched");
  isConfigured = true;
  return Json::object();
}

// --- What has stopped

llvm::Expected<Json> DapServer::threads(const Json &) {
  Json all = Json::array();
  for (unsigned lane = 0; current && lane < current->wave.lanes(); ++lane) {
    if (!(current->wave.exec() >> lane & 1))
      continue;
    Json thread;
    thread["id"] = lane + 1;
    thread["name"] = session->describe(current->wave, lane, current->frames.front().shader);
    all.push_back(std::move(thread));
  }
  // There must be one.
  if (all.empty())
    all.push_back({{"id", 1}, {"name", "GPU"}});
  Json body;
  body["threads"] = std::move(all);
  return body;
}

/// Frames are numbered by lane and depth.
constexpr uint64_t framesPerLane = 4096;

llvm::Expected<Json> DapServer::stackTrace(const Json &arguments) {
  Json frames = Json::array();
  const uint64_t lane = numberOf(arguments, "threadId").value_or(1) - 1;
  for (size_t i = 0; current && i < current->frames.size(); ++i) {
    const Frame &frame = current->frames[i];
    Json shown;
    shown["id"] = lane * framesPerLane + i + 1;
    shown["name"] = frame.function;
    shown["line"] = frame.line;
    shown["column"] = std::max(frame.column, 1u);
    shown["source"] = {{"name", StringRef(frame.file).rsplit('/').second.empty()
                                    ? frame.file
                                    : StringRef(frame.file).rsplit('/').second.str()},
                       {"path", shader->pathOf(frame.file)}};
    frames.push_back(std::move(shown));
  }
  Json body;
  body["totalFrames"] = frames.size();
  body["stackFrames"] = std::move(frames);
  return body;
}

std::vector<Value> DapServer::valuesOf(uint64_t frameId) const {
  const uint64_t lane = (frameId - 1) / framesPerLane, frame = (frameId - 1) % framesPerLane;
  if (!current || !frameId || lane >= current->wave.lanes() || frame >= current->frames.size())
    return {};
  return shader->info().variablesOf(current->wave, unsigned(lane), frame);
}

llvm::Expected<Json> DapServer::scopes(const Json &arguments) {
  references.push_back(valuesOf(numberOf(arguments, "frameId").value_or(0)));
  Json scope;
  scope["name"] = "Variables";
  scope["presentationHint"] = "locals";
  scope["variablesReference"] = references.size();
  scope["expensive"] = false;
  Json body;
  body["scopes"] = Json::array({std::move(scope)});
  return body;
}

Json DapServer::shown(const Value &value) {
  Json json;
  json["value"] = value.text;
  if (!value.type.empty())
    json["type"] = value.type;
  if (!value.parts.empty())
    references.push_back(value.parts);
  json["variablesReference"] = value.parts.empty() ? 0 : references.size();
  return json;
}

llvm::Expected<Json> DapServer::variables(const Json &arguments) {
  const uint64_t reference = numberOf(arguments, "variablesReference").value_or(0);
  if (!reference || reference > references.size())
    return lgc::invalidInput("no such variables");
  const std::vector<Value> values = references[reference - 1];
  Json all = Json::array();
  for (const Value &value : values) {
    Json json = shown(value);
    json["name"] = value.name;
    all.push_back(std::move(json));
  }
  Json body;
  body["variables"] = std::move(all);
  return body;
}

/// Names, and parts behind them: "light.color.x", "values[3]".
llvm::Expected<Json> DapServer::evaluate(const Json &arguments) {
  const std::string expression = textOf(arguments, "expression");
  const std::vector<Value> values = valuesOf(numberOf(arguments, "frameId").value_or(1));
  const Value *found = findValue(values, expression);
  if (!found)
    return lgc::invalidInput("no variable '" + expression + "' here");
  Json body = shown(*found);
  body["result"] = body["value"];
  body.erase("value");
  return body;
}

// --- Going on

llvm::Expected<Json> DapServer::resumeWith(Resume how) {
  if (!current)
    return lgc::invalidInput("nothing has stopped");
  resume = how;
  return Json::object();
}

llvm::Expected<Json> DapServer::goOn(const Json &) {
  Json body = KILN_TRY(resumeWith(Resume::Continue));
  body["allThreadsContinued"] = true;
  return body;
}
llvm::Expected<Json> DapServer::next(const Json &) { return resumeWith(Resume::Next); }
llvm::Expected<Json> DapServer::stepIn(const Json &) { return resumeWith(Resume::StepIn); }
llvm::Expected<Json> DapServer::stepOut(const Json &) { return resumeWith(Resume::StepOut); }

llvm::Expected<Json> DapServer::disconnect(const Json &) {
  isDone = true;
  resume = Resume::End;
  return Json::object();
}

Resume DapServer::stopped(const Stop &stop) {
  static constexpr const char *reasons[] = {"entry", "breakpoint", "step"};
  current = &stop;
  resume.reset();
  references.clear();
  Json body;
  body["reason"] = reasons[unsigned(stop.reason)];
  body["threadId"] = stop.lane + 1;
  body["allThreadsStopped"] = true;
  sendEvent("stopped", std::move(body));
  while (!resume) {
    const std::optional<Json> request = readMessage();
    if (!request) {
      isDone = true;
      resume = Resume::End;
      break;
    }
    answer(*request);
  }
  current = nullptr;
  return *resume;
}

void DapServer::execute() {
  hasExecuted = true;
  if (llvm::Error error = shader->execute(*session)) {
    const std::string text = llvm::toString(std::move(error));
    if (!session->hasEnded())
      sendEvent("output", {{"category", "stderr"}, {"output", text + "\n"}});
  }
  sendEvent("exited", {{"exitCode", 0}});
  sendEvent("terminated", Json::object());
}

int DapServer::run() {
  while (!isDone) {
    const std::optional<Json> request = readMessage();
    if (!request)
      break;
    answer(*request);
    if (isConfigured && !hasExecuted)
      execute();
  }
  return 0;
}

} // namespace

int serveDap() { return DapServer().run(); }

} // namespace debug
