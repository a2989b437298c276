"use strict";
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const table = document.getElementById("lines");
  const body = table.tBodies[0];
  const rows = [...body.rows];
  const place = new Map(data.queries.map((query, number) => [query.name, number]));
  const numberOf = rows.map((row) => place.get(row.cells[0].textContent));
  const shown = (value) => (value === null ? "-" : value.toFixed(4));

  // Everything that came from a file is put in as text, never as markup.
  const element = (tag, text, kind) => {
    const made = document.createElement(tag);
    if (text !== undefined) made.textContent = text;
    if (kind) made.className = kind;
    return made;
  };
  const fill = (select, names) => select.append(...names.map((name) => {
    const option = element("option", name);
    option.value = name;
    return option;
  }));

  const measure = document.getElementById("measure");
  const search = document.getElementById("search");
  const count = document.getElementById("count");
  fill(measure, Object.keys(data.values));

  const showMeasure = () => {
    const columns = data.values[measure.value];
    rows.forEach((row, line) => columns.forEach((values, run) => {
      row.cells[run + 1].textContent = shown(values[numberOf[line]]);
    }));
  };
  const filter = () => {
    const wanted = search.value.toLocaleLowerCase();
    let left = 0;
    rows.forEach((row) => {
      row.hidden = !row.cells[0].textContent.toLocaleLowerCase().includes(wanted);
      left += row.hidden ? 0 : 1;
    });
    count.textContent = wanted ? `${left} of ${rows.length}` : "";
  };
  const compared = (one, other, column) => {
    const [a, b] = [one, other].map((row) => row.cells[column].textContent);
    if (column === 0) return a.localeCompare(b, undefined, { numeric: true });
    const [x, y] = [a, b].map((text) => (text === "-" ? -Infinity : Number(text)));
    return x - y || 0;
  };
  const heads = [...table.tHead.rows[0].cells];
  heads.forEach((head, column) => {
    const button = element("button", head.textContent);
    button.type = "button";
    head.replaceChildren(button);
    button.addEventListener("click", () => {
      const turn = head.getAttribute("aria-sort") === "descending" ? 1 : -1;
      heads.forEach((each) => each.setAttribute("aria-sort", "none"));
      head.setAttribute("aria-sort", turn === 1 ? "ascending" : "descending");
      body.append(...[...rows].sort((one, other) => turn * compared(one, other, column)));
    });
  });

  // A cell that a spreadsheet would take for a formula is given as the text that it is.
  const cell = (text) => {
    const isNumber = /^-?\d+(\.\d+)?$/.test(text);
    const inert = !isNumber && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
    return `"${inert.replaceAll('"', '""')}"`;
  };
  document.getElementById("download").addEventListener("click", () => {
    const lines = [heads, ...[...body.rows].filter((row) => !row.hidden).map((row) => [...row.cells])];
    const text = lines.map((cells) => cells.map((each) => cell(each.textContent)).join(",")).join("\r\n");
    const link = element("a");
    link.href = URL.createObjectURL(new Blob([text, "\r\n"], { type: "text/csv" }));
    link.download = "queries.csv";
    link.click();
    URL.revokeObjectURL(link.href);
  });

  const query = document.getElementById("query");
  const rankings = document.getElementById("rankings");
  const shownQuery = document.getElementById("shown-query");
  fill(query, data.queries.map((each) => each.name));
  const itemOf = ([name, grade]) => {
    const made = element("span", undefined, "item");
    made.append(element("span", name));
    if (grade === null) {
      made.classList.add("unjudged");
      made.append(element("span", "?", "grade"));
      made.title = "not judged";
      return made;
    }
    const share = Math.max(0, Math.min(1, grade / data.highest));
    made.style.setProperty("--share", `${Math.round(55 * share)}%`);
    made.append(element("span", String(grade), "grade"));
    return made;
  };
  const column = (title, entries, empty, tag = "ol") => {
    const made = element("div");
    made.append(element("h3", title));
    if (!entries.length) made.append(element("p", empty, "quiet"));
    const list = element(tag);
    list.append(...entries.map((entry) => {
      const line = element("li");
      line.append(itemOf(entry));
      return line;
    }));
    made.append(list);
    return made;
  };
  const showQuery = () => {
    const found = data.queries[query.selectedIndex];
    if (!found) return;
    const leading = data.values[measure.value];
    const columns = found.rankings.map((entries, run) => {
      const value = shown(leading[run][query.selectedIndex]);
      return column(`${data.runs[run]} (${value})`, entries, "nothing retrieved");
    });
    columns.push(column("relevant, in none of these", found.missed, "none", "ul"));
    rankings.replaceChildren(...columns);
    shownQuery.textContent = found.name;
  };
  const step = (by) => {
    query.selectedIndex = (query.selectedIndex + by + data.queries.length) % data.queries.length;
    showQuery();
  };
  document.getElementById("before").addEventListener("click", () => step(-1));
  document.getElementById("after").addEventListener("click", () => step(1));
  query.addEventListener("change", showQuery);
  measure.addEventListener("change", () => { showMeasure(); showQuery(); });
  search.addEventListener("input", filter);
  rows.forEach((row, line) => {
    const button = element("a", row.cells[0].textContent);
    button.href = "#detail";
    button.addEventListener("click", () => { query.selectedIndex = numberOf[line]; showQuery(); });
    row.cells[0].replaceChildren(button);
  });
  document.querySelectorAll(".tools").forEach((tools) => { tools.hidden = false; });
  showQuery();
})();
