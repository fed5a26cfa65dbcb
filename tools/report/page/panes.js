// SPDX-License-Identifier: MIT
// Pieces of the page: elements, and lists of any length of which only the visible lines are in the document.

function element(tag, properties = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name === "class") made.className = value;
    else if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else if (name in made && typeof value !== "string") made[name] = value;
    else made.setAttribute(name, value);
  }
  made.append(...children.filter((child) => child !== null && child !== undefined));
  return made;
}
function svgElement(tag, attributes = {}, ...children) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}
function cell(text, classes) {
  return element("span", { class: `cell ${classes}` }, String(text));
}
function link(text, action) {
  return element("button", { class: "link", type: "button", onclick: action }, text);
}
// `lines`: the first and the last one of what it stands for; else its own line is named.
function instructionLink(i, lines) {
  const stage = currentStage(), place = placeOf(stage, i)[0];
  let where = place ? ` (line ${place[1]})` : "";
  if (lines) where = lines[0] === lines[1] ? ` (line ${lines[0]})` : ` (lines ${lines[0]} to ${lines[1]})`;
  return link(`${hex(stage.code.pc[i])} ${stage.code.text[i]}${where}`, () => openInstruction(i));
}

const rowHeight = 18;
let listCount = 0;

// A list of lines: role listbox, arrow keys, one line selected. `fill(row, index)` puts cells into a line and may set classes.
class RowList {
  constructor(label, { fill, select, enter }) {
    this.fill = fill;
    this.select = select;
    this.enter = enter;
    this.count = 0;
    this.current = -1;
    this.kept = -1; // the line that stays in sight when the list becomes smaller
    this.id = `list${listCount++}`;
    this.rows = element("div", { class: "rows", role: "presentation" });
    this.element = element("div", { class: "list", role: "listbox", tabindex: "0", "aria-label": label }, this.rows);
    this.element.addEventListener("scroll", () => {
      if (!this.isInSight(this.kept)) this.kept = -1;
      this.draw();
    });
    this.element.addEventListener("keydown", (event) => this.key(event));
    this.rows.addEventListener("click", (event) => this.click(event));
    this.rows.addEventListener("dblclick", () => this.enter?.(this.current));
    // Later, as what is drawn may bring bars, which change the size again.
    new ResizeObserver(() => requestAnimationFrame(() => (this.kept < 0 ? this.draw() : this.reveal(this.kept, false))))
      .observe(this.element);
  }
  reset(count) {
    this.count = count;
    this.current = this.kept = -1;
    this.rows.style.height = `${count * rowHeight}px`;
    this.element.scrollTop = 0;
    this.element.scrollLeft = 0;
    this.draw();
  }
  draw() {
    const from = Math.max(0, Math.floor(this.element.scrollTop / rowHeight) - 4);
    const to = Math.min(this.count, from + Math.ceil(this.element.clientHeight / rowHeight) + 8);
    const made = [];
    for (let i = from; i < to; ++i) {
      const row = element("div", { class: "row", role: "option", id: `${this.id}-${i}` });
      row.setAttribute("aria-selected", i === this.current ? "true" : "false");
      row.setAttribute("aria-posinset", i + 1);
      row.setAttribute("aria-setsize", this.count);
      row.style.top = `${i * rowHeight}px`;
      this.fill(row, i);
      if (i === this.current) row.classList.add("selected");
      if (!row.textContent.trim()) row.setAttribute("aria-label", "empty line");
      made.push(row);
    }
    this.rows.replaceChildren(...made);
    this.describe();
  }
  describe() {
    if (this.count) this.element.setAttribute("role", "listbox");
    else this.element.setAttribute("role", "group"); // a listbox without options is none
    const shown = this.current >= 0 && document.getElementById(`${this.id}-${this.current}`);
    if (shown) this.element.setAttribute("aria-activedescendant", `${this.id}-${this.current}`);
    else this.element.removeAttribute("aria-activedescendant");
  }
  // Shows a line, in the middle where it was out of sight.
  reveal(index, isCurrent = true) {
    if (isCurrent) this.current = index;
    this.kept = index;
    this.draw();
    // Twice, as long lines that come into sight bring a bar below them.
    for (let i = 0; i < 2 && index >= 0 && !this.isInSight(index); ++i) {
      this.element.scrollTop = Math.max(0, index * rowHeight - this.element.clientHeight / 2);
      this.draw();
    }
  }
  isInSight(index) {
    const top = index * rowHeight - this.element.scrollTop;
    return top >= 0 && top + rowHeight <= this.element.clientHeight;
  }
  choose(index) {
    if (!this.count) return;
    const wanted = Math.min(Math.max(index, 0), this.count - 1);
    this.current = wanted;
    this.reveal(wanted);
    this.select?.(wanted);
  }
  click(event) {
    const row = event.target.closest(".row");
    if (row) this.choose(Number(row.id.slice(this.id.length + 1)));
  }
  key(event) {
    const page = Math.max(1, Math.floor(this.element.clientHeight / rowHeight) - 1);
    const steps = { ArrowUp: -1, ArrowDown: 1, PageUp: -page, PageDown: page, Home: -this.count, End: this.count };
    if (event.key in steps) this.choose((this.current < 0 ? 0 : this.current) + steps[event.key]);
    else if (event.key === "Enter" && this.enter && this.current >= 0) this.enter(this.current);
    else return;
    event.preventDefault();
  }
}

function pane(title, list, classes = "") {
  return element("div", { class: `pane ${classes}` }, element("h2", {}, ...[title].flat()), list.element);
}
