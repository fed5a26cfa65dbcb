// SPDX-License-Identifier: MIT
// The view "Control flow": blocks in the order of memory, one below the other; loops are boxes around their blocks, edges that
// go back run on the left, edges that skip blocks on the right.
const flowSize = { left: 60, width: 430, height: 40, gap: 22, indent: 22, lane: 12, most: 3000 };

function buildFlowView() {
  listeners.push((what) => {
    if ((what === "stage" || what === "view") && state.view === "flow") drawFlow();
  });
}

// Lanes beside the blocks so that edges do not run over each other: the first that is free from one end to the other.
function assignLanes(edges) {
  const lanes = [];
  for (const edge of [...edges].sort((a, b) => a.high - a.low - (b.high - b.low))) {
    let lane = 0;
    while (lanes[lane]?.some((other) => other.low < edge.high && edge.low < other.high)) ++lane;
    (lanes[lane] ??= []).push(edge);
    edge.lane = lane;
  }
  return lanes.length;
}

function flowEdges(stage) {
  const edges = { down: [], right: [], left: [] };
  stage.blocks.forEach((block, from) => {
    for (const to of block.to) {
      const edge = { from, to, low: Math.min(from, to), high: Math.max(from, to) };
      if (to === from + 1) edges.down.push(edge);
      else if (to > from) edges.right.push(edge);
      else edges.left.push(edge);
    }
  });
  return edges;
}

function drawFlow() {
  const view = document.getElementById("view-flow"), stage = currentStage();
  view.replaceChildren();
  if (!stage) return;
  view.append(element("h2", {}, "Control flow"), element("p", {},
    `${plural(stage.blocks.length, "block")}, ${plural(stage.loops.length, "loop")}. Edges that go back are on the left; ` +
    "a click, or Enter, shows a block's first instruction."));
  if (stage.blocks.length > flowSize.most) {
    view.append(element("p", {}, `More than ${flowSize.most} blocks are not drawn.`));
    return;
  }
  const edges = flowEdges(stage);
  const leftLanes = assignLanes(edges.left), rightLanes = assignLanes(edges.right);
  const depth = Math.max(0, ...stage.blocks.map((block) => block.depth));
  const origin = flowSize.left + leftLanes * flowSize.lane;
  const right = origin + depth * flowSize.indent + flowSize.width;
  const svg = svgElement("svg", { class: "flow", role: "group", "aria-label": "Blocks",
    width: right + 40 + rightLanes * flowSize.lane, height: stage.blocks.length * (flowSize.height + flowSize.gap) + 30 });
  svg.append(arrowHeads());
  const geometry = { origin, right, top: (b) => 14 + b * (flowSize.height + flowSize.gap) };
  drawLoops(svg, stage, geometry);
  for (const edge of edges.down) svg.append(edgePath(`M${origin + 30 + stage.blocks[edge.to].depth * flowSize.indent} ` +
    `${geometry.top(edge.from) + flowSize.height}V${geometry.top(edge.to) - 3}`, false));
  for (const edge of edges.right) svg.append(sideEdge(edge, geometry, right + 14 + edge.lane * flowSize.lane, right, false));
  for (const edge of edges.left) {
    const x = origin + stage.blocks[edge.to].depth * flowSize.indent;
    svg.append(sideEdge(edge, geometry, origin - 14 - edge.lane * flowSize.lane, x, true, origin + stage.blocks[edge.from].depth * flowSize.indent));
  }
  stage.blocks.forEach((block, b) => svg.append(drawBlock(stage, b, geometry)));
  view.append(svg);
}

function arrowHeads() {
  const head = (id, classes) => svgElement("marker", { id, viewBox: "0 0 8 8", refX: 7, refY: 4, markerWidth: 7, markerHeight: 7, orient: "auto" },
    svgElement("path", { class: classes, d: "M0 0L8 4L0 8z" }));
  return svgElement("defs", {}, head("head", "head"), head("headback", "head back"));
}
function edgePath(d, isBack) {
  return svgElement("path", { class: isBack ? "edge back" : "edge", d, "marker-end": `url(#${isBack ? "headback" : "head"})` });
}
// From the side of a block along a lane to the side of another one.
function sideEdge(edge, geometry, lane, end, isBack, start = end) {
  const from = geometry.top(edge.from) + flowSize.height * 0.7, to = geometry.top(edge.to) + flowSize.height * 0.3;
  return edgePath(`M${start} ${from}H${lane}V${to}H${end + (isBack ? -2 : 2)}`, isBack);
}

function drawLoops(svg, stage, geometry) {
  stage.loops.forEach((loop, l) => {
    const first = Math.min(...loop.blocks), last = Math.max(...loop.blocks);
    const depth = stage.blocks[loop.header].depth;
    const x = geometry.origin + depth * flowSize.indent - 8;
    svg.append(svgElement("rect", { class: "loop", x, y: geometry.top(first) - 9, rx: 8, width: geometry.right - x + 6,
      height: geometry.top(last) - geometry.top(first) + flowSize.height + 18 }, svgElement("title", {}, `loop ${l}`)));
  });
}

function drawBlock(stage, b, geometry) {
  const block = stage.blocks[b], x = geometry.origin + block.depth * flowSize.indent, y = geometry.top(b);
  const lines = [...new Set(range(block.begin, block.end).map((i) => placeOf(stage, i)[0]?.[1]).filter(Boolean))].sort((p, q) => p - q);
  const count = block.end - block.begin;
  const title = `block ${b}: ${plural(count, "instruction")}, ${plural(block.cycles, "cycle")}` +
    (stage.run ? `, ${plural(stage.run.runs[block.begin], "run")}` : "");
  const where = lines.length ? `lines ${lines.slice(0, 12).join(", ")}${lines.length > 12 ? ", ..." : ""}` : "no source line";
  const group = svgElement("g", { class: block.reached ? "block" : "block dead", tabindex: "0", role: "button" },
    svgElement("rect", { x, y, width: geometry.right - x, height: flowSize.height, rx: 4 }));
  const first = svgElement("text", { x: x + 10, y: y + 16 }), second = svgElement("text", { x: x + 10, y: y + 32, class: "dim" });
  first.textContent = title;
  second.textContent = where;
  group.append(first, second);
  const open = () => openInstruction(block.begin);
  group.addEventListener("click", open);
  group.addEventListener("keydown", (event) => {
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      open();
    }
  });
  return group;
}

function range(begin, end) {
  return Array.from({ length: end - begin }, (_, i) => begin + i);
}
