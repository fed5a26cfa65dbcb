// SPDX-License-Identifier: MIT
// The data of the report, and what is derived of it. Everything in it may be text of strangers: it gets into the page as text
// (textContent) only.
const data = JSON.parse(document.getElementById("data").textContent);

// What is looked at. Views redraw when it changes.
const state = { pipeline: 0, stage: 0, instruction: -1, view: "overview" };
const listeners = [];
function changed(what) {
  for (const listener of listeners) listener(what);
}

function currentPipeline() {
  return data.pipelines[state.pipeline];
}
function currentStage() {
  const stages = currentPipeline()?.stages ?? [];
  return stages[state.stage] ?? null;
}
function stageTitle(stage) {
  const shaders = stage.shaders.length ? stage.shaders.join(" + ") : "made by the compiler";
  return `${stage.stage} (${shaders})`;
}
function pipelineTitle(pipeline) {
  return `${pipeline.name} [${pipeline.target}]${pipeline.tier === "direct" ? " direct tier" : ""}`;
}

// Facts that are looked up again and again, made once for each stage.
const derived = new Map();
function facts(stage) {
  let known = derived.get(stage);
  if (!known) {
    known = derive(stage);
    derived.set(stage, known);
  }
  return known;
}

function derive(stage) {
  const code = stage.code;
  const count = code.pc.length;
  const blockOf = new Uint32Array(count);
  stage.blocks.forEach((block, b) => blockOf.fill(b, block.begin, block.end));
  const waitsFor = new Map(stage.memory.waits.map((wait) => [wait.at, wait.for]));
  const operations = new Map(stage.memory.operations.map((operation) => [operation.at, operation]));
  // Instructions and cost by source and line, of every place that an instruction comes from.
  const byLine = new Map();
  for (let i = 0; i < count; ++i) {
    const place = code.place[i];
    if (place < 0) continue;
    code.places[place].forEach(([source, line], frame) => {
      const key = `${source}:${line}`;
      let entry = byLine.get(key);
      if (!entry) byLine.set(key, (entry = { instructions: [], cost: 0 }));
      if (entry.instructions.at(-1) !== i) entry.instructions.push(i);
      if (frame === 0) entry.cost += costOf(stage, i);
    });
  }
  let mostCost = 0;
  for (const entry of byLine.values()) mostCost = Math.max(mostCost, entry.cost);
  let mostVgprs = 1, mostSgprs = 1;
  for (let i = 0; i < count; ++i) {
    mostVgprs = Math.max(mostVgprs, code.vgprs[i]);
    mostSgprs = Math.max(mostSgprs, code.sgprs[i]);
  }
  return { blockOf, waitsFor, operations, byLine, mostCost, mostVgprs, mostSgprs };
}

// Cycles of one run, or of all runs when they were counted; what is only waited for when a loop is entered counts by entries.
function costOf(stage, i) {
  const { stall, stall_once: once } = stage.code;
  if (!stage.run) return 1 + stall[i] + once[i];
  return (1 + stall[i]) * stage.run.runs[i] + (once[i] ? once[i] * loopEntries(stage, i) : 0);
}
function loopEntries(stage, i) {
  const loop = stage.blocks.find((block) => i >= block.begin && i < block.end).loop;
  if (loop < 0) return stage.run.runs[i];
  const { header, blocks } = stage.loops[loop];
  const lastOf = (block) => stage.run.runs[block.end - 1];
  const entries = stage.blocks.filter((block, b) => block.to.includes(header) && !blocks.includes(b)).map(lastOf);
  return Math.min(stage.run.runs[i], entries.reduce((sum, runs) => sum + runs, 0));
}

function placeOf(stage, i) {
  const place = stage.code.place[i];
  return place < 0 ? [] : stage.code.places[place];
}
function sourceName(index) {
  return data.sources[index]?.name ?? "?";
}
function placeText([source, line, functionName]) {
  return `${sourceName(source)}:${line}${functionName ? ` in ${functionName}` : ""}`;
}
function hex(number) {
  return number.toString(16).toUpperCase().padStart(4, "0");
}
function plural(number, noun) {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}

function selectInstruction(i) {
  const stage = currentStage();
  if (!stage || i < 0 || i >= stage.code.pc.length || i === state.instruction) return;
  state.instruction = i;
  changed("instruction");
}
function openInstruction(i) {
  selectInstruction(i);
  showView("code");
}
