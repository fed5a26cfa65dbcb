// SPDX-License-Identifier: MIT
// The views "Overview" and "Memory and waits".

function buildTables() {
  listeners.push((what) => {
    if (what === "stage") {
      showOverview();
      showMemory();
    }
  });
  const box = document.getElementById("latencies");
  box.append(table("Latencies in cycles", ["Result of", "cycles"], Object.entries(data.latencies)));
  document.getElementById("view-memory").append(element("p", {},
    "Operations that something may wait for, and where. Enter shows an instruction in \"Code\"."), memoryList.element);
}

// Cells are texts, numbers or elements; the first column heads its row.
function table(caption, heads, rows, rowClass = () => "") {
  const isNumber = (value) => typeof value === "number";
  const head = element("tr", {}, ...heads.map((text, i) =>
    element("th", { scope: "col", class: rows.some((row) => isNumber(row[i])) ? "number" : "" }, text)));
  const body = rows.map((row, r) => element("tr", { class: rowClass(r) }, ...row.map((value, i) =>
    element(i ? "td" : "th", { class: isNumber(value) ? "number" : "", ...(i ? {} : { scope: "row" }) },
      value instanceof Node ? value : String(value ?? "")))));
  return element("div", { class: "scroll" }, element("table", { "aria-label": caption },
    element("thead", {}, head), element("tbody", {}, ...body)));
}

function showOverview() {
  const view = document.getElementById("view-overview"), stage = currentStage(), pipeline = currentPipeline();
  view.replaceChildren();
  if (pipeline?.error) view.append(element("h2", {}, "Not compiled"), element("p", { class: "hot" }, pipeline.error));
  if (stage) view.append(element("h2", {}, `${pipelineTitle(pipeline)}: ${stageTitle(stage)}`), ...warningList(pipeline, stage),
    ...(stage.run ? runInputs(stage.run) : []), element("h2", {}, "Where the work is"), unitTable(stage));
  view.append(element("h2", {}, "All pipelines and targets"), resourceTable());
}

function warningList(pipeline, stage) {
  const entries = stage.warnings.map((warning) => element("li", {}, warning.text,
    warning.instructions.length ? " " : null, ...warning.instructions.slice(0, 6).flatMap((i) => [instructionLink(i, warning.lines), " "]),
    warning.instructions.length > 6 ? `and ${warning.instructions.length - 6} more` : null));
  for (const text of pipeline.warnings) entries.push(element("li", {}, text));
  if (stage.run?.fault) entries.push(element("li", { class: "hot" }, `Execution ended early: ${stage.run.fault}`));
  if (!entries.length) return [element("p", {}, "Nothing to warn of.")];
  return [element("ul", { class: "warnings" }, ...entries)];
}

// The inputs are made up: figures of executions are those of these.
function runInputs(run) {
  const rows = [...(run.groups ? [["workgroups", run.groups.join(" x ")]] : []), ...run.inputs.map(({ name, value }) => [name, value])];
  return [element("h2", {}, "Executed with generated inputs"), table("Inputs", ["Input", "Size or value"], rows)];
}

// Cycles that each unit is busy, against those that a wave takes alone.
function unitTable(stage) {
  const totals = stage.cycles.units.map((unit) => ({ name: unit.name, instructions: unit.instructions, busy: unit.busy }));
  let cycles = stage.cycles.cycles;
  if (stage.run) {
    cycles = 0;
    totals.forEach((total) => (total.instructions = total.busy = 0));
    stage.code.unit.forEach((unit, i) => {
      const runs = stage.run.runs[i];
      totals[unit].instructions += runs;
      totals[unit].busy += stage.run.lds_passes[i] || runs * stage.code.busy[i];
      cycles += costOf(stage, i);
    });
  }
  const most = Math.max(1, ...totals.map((total) => total.busy));
  const rows = totals.filter((total) => total.instructions).map((total) => {
    const bar = element("span", { class: "bar" });
    bar.style.width = `${(300 * total.busy) / most}px`;
    return [total.name, total.instructions, total.busy, bar];
  });
  const waves = stage.figures.waves_per_simd;
  const bound = most * waves > cycles ? "the unit with the longest bar limits" : "waiting limits";
  return element("div", { class: "bars" }, table("Work by unit", ["Unit", stage.run ? "executed" : "instructions", "busy cycles", "share"], rows),
    element("p", {}, (stage.run ? `All waves that ran, one after the other, take ${plural(cycles, "executed cycle")} by the model; `
      : `A wave alone takes ${plural(cycles, "static cycle")} by the model: each instruction runs once; `) +
      `with ${plural(waves, "wave")} on a SIMD ${bound}.`));
}

function resourceTable() {
  const rows = [], places = [];
  data.pipelines.forEach((pipeline, p) => {
    const open = (s) => () => showStage(p, s);
    if (pipeline.error) {
      rows.push([link(pipeline.name, open(0)), pipeline.target, "not compiled", "", "", "", "", "", "", "", ""]);
      places.push([p, 0]);
    }
    (pipeline.stages ?? []).forEach((stage, s) => {
      const f = stage.figures;
      rows.push([link(pipeline.name, open(s)), pipeline.target + (pipeline.tier === "direct" ? ", direct" : ""), stageTitle(stage), f.vgprs, f.sgprs,
        f.lds_bytes, f.scratch_bytes, f.code_bytes, f.instructions, f.wave_size, f.waves_per_simd,
        f.vgprs_to_next_wave || "", stage.cycles.cycles, stage.run?.cycles ?? "", stage.warnings.length || ""]);
      places.push([p, s]);
    });
  });
  return table("Resources", ["Pipeline", "Target", "Stage", "VGPRs", "SGPRs", "LDS", "scratch", "code", "instructions", "lanes", "waves/SIMD",
    "VGPRs to next wave", "static cycles", "executed cycles", "warnings"], rows,
    (r) => (places[r][0] === state.pipeline && places[r][1] === state.stage ? "current" : ""));
}

const memoryList = new RowList("Memory operations", { fill: fillMemoryRow, select: selectMemory, enter: openMemory });
let memoryRows = [];
function showMemory() {
  const stage = currentStage();
  memoryRows = stage ? [...stage.memory.operations.map((operation) => operation.at), ...stage.memory.waits.map((wait) => wait.at)] : [];
  memoryRows = [...new Set(memoryRows)].sort((a, b) => a - b);
  memoryList.reset(memoryRows.length);
}
function selectMemory(row) {
  selectInstruction(memoryRows[row]);
}
function openMemory(row) {
  openInstruction(memoryRows[row]);
}

function memoryCost(run, i, runs) {
  if (run.lds_passes[i]) return `${(run.lds_passes[i] / runs).toFixed(1)} LDS passes`;
  return run.lines[i] ? `${(run.lines[i] / runs).toFixed(1)} lines` : "";
}

function fillMemoryRow(row, r) {
  const stage = currentStage(), i = memoryRows[r], known = facts(stage);
  const operation = known.operations.get(i), waits = known.waitsFor.get(i);
  const place = placeOf(stage, i)[0];
  let text = "";
  if (waits) text = waits.length ? `waits for ${waits.map((at) => hex(stage.code.pc[at])).join(" ")}` : "nothing is under way";
  if (operation?.waited_at.length) text = `waited for at ${operation.waited_at.map((at) => hex(stage.code.pc[at])).join(" ")}`;
  row.append(cell(hex(stage.code.pc[i]), "w6 dim"), cell(place ? place[1] : "", "w5 right dim"), cell(operation?.kind ?? "wait", "w20"));
  if (stage.run) {
    const runs = stage.run.runs[i];
    row.append(cell(runs, "w7 right"), cell(runs ? memoryCost(stage.run, i, runs) : "not executed", "w20"));
  }
  row.append(cell(text, text.length > 33 ? "text" : "w34"), cell(`  ${stage.code.text[i]}`, "text"));
  if (waits) row.classList.add("match");
}
