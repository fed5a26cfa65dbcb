// SPDX-License-Identifier: MIT
// The view "Code": source beside instructions, the curve of live registers, and what is known of the selected instruction.
const codeView = { selectedLine: null, matches: new Set() };

const sourceList = new RowList("Source lines", {
  fill: fillSourceRow,
  select: (row) => selectLine(sourceIndex(), row + 1),
});
const codeList = new RowList("Instructions", {
  fill: fillCodeRow,
  select: (i) => selectInstruction(i),
});
const sourceSelect = element("select", { "aria-label": "Source file", onchange: () => showSource() });
const searchField = element("input", { type: "search", "aria-label": "Search instructions", placeholder: "Search (/)" });
const chart = svgElement("svg", { class: "chart", role: "img", preserveAspectRatio: "none" });
const legend = element("div", { class: "legend" });
const selected = element("div"), peakBox = element("div");
const details = element("div", { class: "details", role: "region", "aria-label": "Selected instruction", tabindex: "0" }, selected, peakBox);

function buildCodeView() {
  document.getElementById("view-code").append(
    legend,
    chart,
    element("div", { class: "panes" },
      pane([element("span", {}, "Source"), sourceSelect], sourceList),
      pane([element("span", {}, "Instructions"), searchField], codeList, "wide")),
    details);
  searchField.addEventListener("keydown", (event) => {
    if (event.key === "Enter") searchNext(event.shiftKey);
  });
  chart.addEventListener("click", (event) => {
    const box = chart.getBoundingClientRect();
    const count = currentStage()?.code.pc.length ?? 0;
    selectInstruction(Math.min(count - 1, Math.floor(((event.clientX - box.left) / box.width) * count)));
  });
  document.addEventListener("keydown", (event) => {
    if (state.view !== "code" || event.ctrlKey || event.metaKey || event.altKey) return;
    if (/^(input|select)$/i.test(event.target.tagName)) return;
    const peak = currentStage()?.vgpr_peak;
    if (event.key === "/") searchField.focus();
    else if (event.key === "p" && peak) showPeak();
    else return;
    event.preventDefault();
  });
  listeners.push((what) => {
    if (what === "stage") showCode();
    if (what === "instruction") showInstruction();
    // Lists that were out of sight have no height.
    if (what === "view" && state.view === "code") revealCode();
  });
}

function sourceIndex() {
  return sourceSelect.value === "" ? -1 : Number(sourceSelect.value);
}
function chooseSource(source) {
  if (sourceIndex() === source) return;
  sourceSelect.value = String(source);
  showSource();
}
let sourceLines = [];
function showSource() {
  const source = data.sources[sourceIndex()];
  sourceLines = source ? source.text.split("\n") : [];
  if (sourceLines.at(-1) === "") sourceLines.pop();
  sourceList.reset(sourceLines.length);
}

function fillSourceRow(row, i) {
  const entry = facts(currentStage()).byLine.get(`${sourceIndex()}:${i + 1}`);
  const heat = element("span", { class: "cell heat" });
  if (entry?.cost) {
    const bar = element("i");
    bar.style.width = `${Math.max(1, (34 * entry.cost) / facts(currentStage()).mostCost)}px`;
    heat.append(bar);
    row.title = `${plural(entry.instructions.length, "instruction")}, ${plural(entry.cost, "cycle")}`;
  }
  row.append(heat, cell(i + 1, entry ? "w5 right" : "w5 right dim"), cell(sourceLines[i], "text"));
  if (codeView.selectedLine === `${sourceIndex()}:${i + 1}`) row.classList.add("match");
}

function fillCodeRow(row, i) {
  const stage = currentStage(), code = stage.code, known = facts(stage);
  const meter = element("span", { class: "cell meter" });
  const vgprs = element("i"), sgprs = element("i", { class: "sgpr" });
  vgprs.style.width = `${(64 * code.vgprs[i]) / known.mostVgprs}px`;
  sgprs.style.width = `${(64 * code.sgprs[i]) / known.mostSgprs}px`;
  meter.append(vgprs, sgprs);
  const place = placeOf(stage, i)[0];
  const block = stage.blocks[known.blockOf[i]];
  row.append(cell(hex(code.pc[i]), "w6 dim"), cell(place ? place[1] : "", "w5 right dim"),
    cell(code.vgprs[i], "w4 right"), cell(code.sgprs[i], "w4 right dim"), meter,
    cell(stallText(code, i), code.stall[i] > 20 ? "w6 right hot" : "w6 right dim"));
  if (stage.run) row.append(cell(stage.run.runs[i], "w7 right"));
  row.append(cell("  ".repeat(block.depth) + code.text[i], "text"));
  if (block.begin === i && i) row.classList.add("blockstart");
  if (codeView.matches.has(i)) row.classList.add("match");
}

// In brackets: only when the loop is entered.
function stallText(code, i) {
  if (code.stall[i]) return `+${code.stall[i]}`;
  return code.stall_once[i] ? `(+${code.stall_once[i]})` : "";
}

function showCode() {
  const stage = currentStage();
  const used = stage ? new Set(stage.code.places.flat().map(([source]) => source)) : new Set();
  const choices = (currentPipeline()?.sources ?? []).map((source) =>
    element("option", { value: String(source) }, sourceName(source)));
  sourceSelect.replaceChildren(...choices);
  const first = (currentPipeline()?.sources ?? []).find((source) => used.has(source));
  if (first !== undefined) sourceSelect.value = String(first);
  sourceSelect.hidden = choices.length === 0;
  codeView.matches = new Set();
  codeView.selectedLine = null;
  showSource();
  codeList.reset(stage ? stage.code.pc.length : 0);
  drawChart();
  peakBox.replaceChildren(...(stage ? peakDetails(stage) : []));
  showInstruction();
}

function selectLine(source, line) {
  codeView.selectedLine = `${source}:${line}`;
  const entry = facts(currentStage()).byLine.get(codeView.selectedLine);
  codeView.matches = new Set(entry?.instructions ?? []);
  sourceList.draw();
  if (entry) codeList.reveal(entry.instructions[0], false);
  else codeList.draw();
  announce(entry ? `${plural(entry.instructions.length, "instruction")} of line ${line}` : `no instruction of line ${line}`);
}

// The instruction's line, and with it all others of that line.
function showInstruction() {
  const stage = currentStage();
  selected.replaceChildren();
  if (!stage) return;
  const i = state.instruction;
  if (i < 0) {
    selected.append(element("p", { class: "dim" }, "No instruction is selected."));
    return;
  }
  const place = placeOf(stage, i)[0];
  if (place && place[0] >= 0) {
    chooseSource(place[0]);
    codeView.selectedLine = `${place[0]}:${place[1]}`;
    codeView.matches = new Set(facts(stage).byLine.get(codeView.selectedLine)?.instructions ?? []);
  } else {
    codeView.selectedLine = null;
    codeView.matches = new Set();
  }
  selected.append(...instructionDetails(stage, i)); // which takes room from the lists
  revealCode();
  announce(`${stage.code.text[i]}, ${plural(stage.code.vgprs[i], "vector register")}`);
}

function revealCode() {
  const place = state.instruction >= 0 ? placeOf(currentStage(), state.instruction)[0] : null;
  if (state.instruction >= 0) codeList.reveal(state.instruction);
  else codeList.draw();
  if (place && place[0] === sourceIndex()) sourceList.reveal(place[1] - 1);
  else sourceList.draw();
  markHere();
}

function chips(title, instructions) {
  return element("p", { class: "chips" }, title, ...instructions.slice(0, 12).map((i) => instructionLink(i)),
    instructions.length > 12 ? `and ${instructions.length - 12} more` : null);
}

function instructionDetails(stage, i) {
  const known = facts(stage), code = stage.code, block = known.blockOf[i];
  const lines = [element("p", {}, element("code", {}, code.text[i]),
    ` at ${hex(code.pc[i])}, block ${block}${stage.blocks[block].depth ? `, in ${plural(stage.blocks[block].depth, "loop")}` : ""}`)];
  const places = placeOf(stage, i);
  lines.push(element("p", {}, places.length ? places.map(placeText).join(", called from ") : "No source line.",
    ...(code.variable[i] < 0 ? [] : [" Computes ", element("code", {}, code.variables[code.variable[i]]), "."])));
  lines.push(element("p", {}, `${plural(code.vgprs[i], "VGPR")} and ${plural(code.sgprs[i], "SGPR")} in use; ` +
    `${unitName(stage, i)}, busy for ${plural(code.busy[i], "cycle")}; waits ${plural(code.stall[i], "cycle")} before` +
    (code.stall_once[i] ? `, and ${code.stall_once[i]} more when its loop is entered.` : ".")));
  if (stage.run) lines.push(...runDetails(stage, i));
  if (known.waitsFor.has(i)) {
    const operations = known.waitsFor.get(i);
    lines.push(operations.length ? chips("Waits for ", operations) : element("p", {}, "Waits for nothing that can be under way."));
  }
  const operation = known.operations.get(i);
  if (operation?.waited_at.length) lines.push(chips("Is waited for at ", operation.waited_at));
  return lines;
}

function unitName(stage, i) {
  return stage.cycles.units[stage.code.unit[i]].name;
}

// The instruction, and the table of registers that are in use there.
function showPeak() {
  selectInstruction(currentStage().vgpr_peak.instruction);
  peakBox.querySelector("details").open = true;
}

function peakDetails(stage) {
  const peak = stage.vgpr_peak;
  if (!peak) return [];
  const i = peak.instruction;
  const place = placeOf(stage, i)[0];
  const { vgprs, vgpr_granule: granule } = stage.figures;
  const allocated = Math.ceil(vgprs / granule) * granule;
  const box = element("details", {}, element("summary", {},
    `Most vector registers: ${stage.vgprs_at_peak} in use${place ? `, ${placeText(place)}` : ""}. ` +
    `The code asks for ${vgprs}, ${allocated} are allocated${allocated === vgprs ? "" : ` in multiples of ${granule}`}, a SIMD holds ${plural(stage.figures.waves_per_simd, "wave")}` +
    `${waveSteps(stage)}.`));
  box.append(chips("At ", [i]));
  const rows = grouped(peak.registers).map((register) => element("tr", {}, element("th", { scope: "row" }, register.name),
    element("td", {}, ...register.variables.flatMap((name, v) => [v ? ", " : "", element("code", {}, name)])),
    element("td", {}, register.writers.length ? chips("", register.writers) : "the hardware, at the start"),
    element("td", {}, ...linesOf(stage, register.writers))));
  box.append(element("div", { class: "scroll" }, element("table", {}, element("thead", {}, element("tr", {},
    element("th", { scope: "col" }, "Register"), element("th", { scope: "col" }, "Variable"), element("th", { scope: "col" }, "Written by"),
    element("th", { scope: "col" }, "Source line"))), element("tbody", {}, ...rows))));
  return [box];
}

// "; 8 fewer: 13 waves; 24 fewer: 16 waves; up to 8 more: 10 waves": what other numbers of registers mean, the nearest first.
function waveSteps(stage) {
  const { vgprs, wave_steps: steps } = stage.figures;
  const more = steps.filter((step) => step.vgprs > vgprs), fewer = steps.filter((step) => step.vgprs <= vgprs);
  return [...fewer.reverse().map((step) => `; ${vgprs - step.vgprs} fewer: ${plural(step.waves, "wave")}`),
    ...more.map((step) => `; up to ${step.vgprs - vgprs} more: ${step.waves ? plural(step.waves, "wave") : "none"}`)].join("");
}

// Registers in a row that the same instructions write, or that hold the same variables, are one line.
function grouped(registers) {
  const groups = [];
  for (const { name, writers, variables } of registers) {
    const number = Number(name.slice(1)), last = groups.at(-1);
    const key = variables.length ? variables.join() : writers.join();
    if (last && last.end === number && last.key === key) {
      last.end = number + 1;
      last.writers = [...new Set([...last.writers, ...writers])];
    } else groups.push({ file: name[0], begin: number, end: number + 1, key, writers, variables });
  }
  return groups.map(({ file, begin, end, writers, variables }) => ({
    name: end === begin + 1 ? `${file}${begin}` : `${file}[${begin}:${end - 1}]`, writers, variables }));
}

// Each line once, with its text.
function linesOf(stage, instructions) {
  const lines = new Map(instructions.map((i) => placeOf(stage, i)[0]).filter(Boolean).map((place) => [placeText(place), place]));
  return [...lines].map(([text, [source, line]]) => element("div", {}, `${text}: `,
    element("code", {}, data.sources[source]?.text.split("\n")[line - 1]?.trim() ?? "")));
}

// The curve: a step for each instruction; of more than 2,000 the most of several.
function drawChart() {
  const stage = currentStage();
  chart.replaceChildren();
  legend.replaceChildren();
  if (!stage) return;
  const code = stage.code, count = code.pc.length, known = facts(stage);
  const width = Math.min(count, 2000) || 1, height = 80;
  const most = Math.max(known.mostVgprs, stage.figures.vgprs, known.mostSgprs);
  chart.setAttribute("viewBox", `0 0 ${width} ${height}`);
  chart.setAttribute("aria-label", `Registers in use by instruction: at most ${known.mostVgprs} vector and ${known.mostSgprs} scalar registers`);
  const path = (values) => {
    let text = "";
    for (let x = 0; x < width; ++x) {
      let value = 0;
      const end = Math.max(Math.floor(((x + 1) * count) / width), Math.floor((x * count) / width) + 1);
      for (let i = Math.floor((x * count) / width); i < end && i < count; ++i) value = Math.max(value, values[i]);
      const y = (height - 2 - ((height - 6) * value) / most).toFixed(1);
      text += x ? `V${y}H${x + 1}` : `M0 ${y}H1`;
    }
    return text;
  };
  chart.append(svgElement("path", { class: "sgpr", d: path(code.sgprs) }), svgElement("path", { class: "vgpr", d: path(code.vgprs) }));
  if (stage.vgpr_peak) {
    const x = ((stage.vgpr_peak.instruction + 0.5) * width) / count;
    chart.append(svgElement("line", { class: "peak", x1: x, x2: x, y1: 0, y2: height }));
  }
  chart.append(svgElement("line", { class: "here", x1: -1, x2: -1, y1: 0, y2: height }));
  legend.append(
    element("span", {}, element("span", { class: "key" }), ` VGPRs, at most ${known.mostVgprs} of ${stage.figures.vgprs}`),
    element("span", {}, element("span", { class: "key sgpr" }), ` SGPRs, at most ${known.mostSgprs} of ${stage.figures.sgprs}`),
    stage.vgpr_peak ? link("go to the peak (p)", showPeak) : "",
    element("span", { class: "dim" }, "columns: address, source line, VGPRs, SGPRs, cycles waited" + (stage.run ? ", runs" : "")));
  if (stage.live_is_upper_bound)
    legend.append(element("span", { class: "hot" }, "masks are too many to follow: live registers are an upper bound"));
}

function markHere() {
  const stage = currentStage(), line = chart.querySelector(".here");
  if (!line || !stage || state.instruction < 0) return;
  const count = stage.code.pc.length, width = Math.min(count, 2000) || 1;
  const x = ((state.instruction + 0.5) * width) / count;
  line.setAttribute("x1", x);
  line.setAttribute("x2", x);
}

function searchNext(isBackwards) {
  const stage = currentStage(), wanted = searchField.value.toLowerCase();
  if (!stage || !wanted) return;
  const count = stage.code.pc.length;
  for (let step = 1; step <= count; ++step) {
    const i = (((state.instruction + (isBackwards ? -step : step)) % count) + count) % count;
    if (stage.code.text[i].toLowerCase().includes(wanted)) return selectInstruction(i);
  }
  announce(`"${searchField.value}" is in no instruction`);
}

function runDetails(stage, i) {
  const run = stage.run;
  if (!run.runs[i]) return [element("p", {}, "Not executed.")];
  const lanes = run.lanes[i] / run.runs[i];
  let text = `Executed ${plural(run.runs[i], "time")}, by ${lanes.toFixed(1)} of ${stage.figures.wave_size} lanes on average`;
  if (run.lines[i]) text += `; ${(run.lines[i] / run.runs[i]).toFixed(1)} cache lines each time`;
  if (run.lds_passes[i]) {
    const times = (count) => (count / run.runs[i]).toFixed(1);
    text += `; LDS is accessed ${times(run.lds_passes[i])} times for it, ${times(run.lds_passes_without_conflicts[i])} without conflicts of banks`;
  }
  return [element("p", {}, `${text}.`)];
}
