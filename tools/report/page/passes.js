// SPDX-License-Identifier: MIT
// The view "Passes": IR behind each pass, and what the pass changed. The report holds the first text, and of each later one
// the lines that are others.
const passView = { texts: [], rows: [], current: 0 };

const passList = new RowList("Passes", { fill: fillPassRow, select: showPass });
const irList = new RowList("IR", { fill: fillIrRow, enter: openIrLine });
const onlyChanges = element("input", { type: "checkbox", id: "only-changes", onchange: () => showPass(passView.current) });

function buildPassView() {
  const choice = element("label", {}, onlyChanges, " only what changed");
  document.getElementById("view-passes").append(element("div", { class: "panes" },
    pane("Pass (lines changed)", passList, "narrow"), pane([element("span", {}, "IR behind it"), choice], irList)));
  listeners.push((what) => {
    if (what === "stage") passView.texts = [];
    if ((what === "stage" || what === "view") && state.view === "passes" && !passView.texts.length) showPasses();
    else if (what === "view" && state.view === "passes") showPass(passView.current); // another line may be selected now
  });
}

function showPasses() {
  const passes = currentPipeline()?.passes ?? [];
  let text = [];
  passView.texts = passes.map((pass) => {
    const before = text, pieces = [];
    let at = 0;
    for (const [begin, removed, added] of pass.changes) {
      pieces.push(before.slice(at, begin), added);
      at = begin + removed;
    }
    pieces.push(before.slice(at));
    text = pieces.flat();
    return { before };
  });
  passList.reset(passes.length);
  irList.reset(0);
  if (passes.length) passList.choose(0);
}

function changedLines(pass) {
  return pass.changes.reduce((sum, [, removed, added]) => sum + Math.max(removed, added.length), 0);
}
function fillPassRow(row, i) {
  const pass = currentPipeline().passes[i];
  row.append(cell(i ? changedLines(pass) : "", "w5 right dim"), cell(pass.name, "text"));
}

// Lines with a mark: "+" new, "-" gone, " " as before.
function showPass(index) {
  const pass = currentPipeline()?.passes[index];
  if (!pass) return;
  passView.current = index;
  const { before } = passView.texts[index];
  const rows = [];
  let at = 0, line = 0;
  const keep = (end) => {
    for (; at < end; ++at) rows.push({ mark: " ", text: before[at], ...sourceOf(pass, line++) });
  };
  for (const [begin, removed, added] of pass.changes) {
    keep(begin);
    for (; at < begin + removed; ++at) rows.push({ mark: "-", text: before[at], line: 0 });
    for (const text of added) rows.push({ mark: index ? "+" : " ", text, ...sourceOf(pass, line++) });
  }
  keep(before.length);
  passView.rows = onlyChanges.checked && index ? withContext(rows) : rows;
  irList.reset(passView.rows.length);
  const chosen = passView.rows.findIndex((row) => row.line && codeView.selectedLine === `${row.source}:${row.line}`);
  const changed = passView.rows.findIndex((row) => row.mark !== " ");
  irList.reveal(Math.max(0, chosen >= 0 ? chosen : changed), false);
}

function sourceOf(pass, i) {
  return { line: pass.lines[i], source: pass.sources[pass.source_of ? pass.source_of[i] : 0] ?? -1 };
}

function openIrLine(i) {
  const { line, source } = passView.rows[i];
  if (!line || source < 0) return announce("This line has no source line.");
  showView("code");
  chooseSource(source);
  selectLine(source, line);
  sourceList.reveal(line - 1);
}

function withContext(rows) {
  const near = new Set();
  rows.forEach((row, i) => {
    if (row.mark !== " ") for (let j = i - 3; j <= i + 3; ++j) near.add(j);
  });
  const result = [];
  rows.forEach((row, i) => {
    if (near.has(i)) result.push(row);
    else if (near.has(i - 1)) result.push({ mark: " ", text: "...", line: 0 });
  });
  return result;
}

function fillIrRow(row, i) {
  const { mark, text, line, source } = passView.rows[i];
  row.append(cell(line || "", "w5 right dim"), cell(mark, "w4"), cell(text, "text"));
  if (line && codeView.selectedLine === `${source}:${line}`) row.classList.add("match");
  if (mark === "+") row.classList.add("add");
  if (mark === "-") row.classList.add("remove");
}
