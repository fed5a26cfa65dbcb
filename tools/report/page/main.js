// SPDX-License-Identifier: MIT
// Choice of pipeline, stage and view; light and dark.
const views = ["overview", "code", "flow", "memory", "passes", "help"];

function announce(text) {
  document.getElementById("status").textContent = text;
}

function showView(name) {
  state.view = name;
  for (const view of views) {
    const tab = document.getElementById(`tab-${view}`), isCurrent = view === name;
    document.getElementById(`view-${view}`).hidden = !isCurrent;
    tab.setAttribute("aria-selected", String(isCurrent));
    tab.tabIndex = isCurrent ? 0 : -1;
  }
  changed("view");
}

function showStage(pipeline, stage) {
  state.pipeline = pipeline;
  state.stage = stage;
  state.instruction = -1;
  const pipelines = document.getElementById("pipeline"), stages = document.getElementById("stage");
  pipelines.value = String(pipeline);
  stages.replaceChildren(...(currentPipeline()?.stages ?? []).map((each, s) =>
    element("option", { value: String(s) }, stageTitle(each))));
  stages.value = String(stage);
  changed("stage");
}

// Left and right go along the names of views, as in other programs.
function tabKey(event) {
  const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  if (!step) return;
  const next = views[(views.indexOf(state.view) + step + views.length) % views.length];
  showView(next);
  document.getElementById(`tab-${next}`).focus();
  event.preventDefault();
}

function setTheme(theme) {
  document.documentElement.dataset.theme = theme;
  document.getElementById("theme").textContent = theme === "dark" ? "Light" : "Dark";
}

function start() {
  const pipelines = document.getElementById("pipeline");
  pipelines.replaceChildren(...data.pipelines.map((pipeline, p) =>
    element("option", { value: String(p) }, pipelineTitle(pipeline))));
  pipelines.addEventListener("change", () => showStage(Number(pipelines.value), 0));
  const stages = document.getElementById("stage");
  stages.addEventListener("change", () => showStage(state.pipeline, Number(stages.value)));
  for (const view of views) document.getElementById(`tab-${view}`).addEventListener("click", () => showView(view));
  document.getElementById("tabs").addEventListener("keydown", tabKey);
  setTheme(matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
  document.getElementById("theme").addEventListener("click", () =>
    setTheme(document.documentElement.dataset.theme === "dark" ? "light" : "dark"));
  buildCodeView();
  buildFlowView();
  buildPassView();
  buildTables();
  if (data.pipelines.length) document.title = `${data.pipelines[0].name} - Kiln report`;
  showStage(0, 0);
  showView(views.includes(location.hash.slice(1)) ? location.hash.slice(1) : "overview");
}

// For tests, with #check: shows everything once, so that what is wrong with the page or its data becomes an error.
function checkAll() {
  let stages = 0;
  data.pipelines.forEach((pipeline, p) => (pipeline.stages ?? [null]).forEach((stage, s) => {
    showStage(p, s);
    for (const view of views) showView(view);
    (pipeline.passes ?? []).forEach((pass, i) => passList.choose(i));
    showView("code");
    const count = stage?.code.pc.length ?? 0;
    for (let i = 0; i < count; i += Math.ceil(count / 8)) {
      selectInstruction(i);
      const place = placeOf(stage, i)[0], hasLine = place && place[0] >= 0 && place[1] > 0;
      if (!codeList.isInSight(i) || (hasLine && !sourceList.isInSight(place[1] - 1)))
        throw new Error(`instruction ${i} or its line is out of sight`);
    }
    for (let line = 0; line < sourceLines.length; line += Math.ceil(sourceLines.length / 8)) sourceList.choose(line);
    ++stages;
  }));
  return stages;
}

addEventListener("error", (event) => (document.documentElement.dataset.state = `error: ${event.message}`));
start();
document.documentElement.dataset.state = location.hash === "#check" ? `checked ${checkAll()}` : "ready";
