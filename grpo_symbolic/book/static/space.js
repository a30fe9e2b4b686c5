// Above the tables of the space a field for words: of every table of the page only the points that have them all stay.
// A box leaves those of which something is open.
(() => {
  const tables = [...document.querySelectorAll("table.claim-space")];
  if (!tables.length) return;
  const rows = tables.flatMap((table) => [...table.tBodies[0].rows].map((row) => {
    const [point, parts] = [row.cells[0].textContent, row.cells[1].textContent];
    const open = row.querySelector(".claim-open") !== null;
    return { row, point: `${point} · ${parts}`, text: row.textContent.toLowerCase(), open };
  }));
  const all = new Set(rows.map(({ point }) => point)).size;
  const form = document.createElement("form");
  form.className = "claim-filter";
  form.innerHTML = `<label>Points with the words <input type="search" name="words" placeholder="k1 leave-one-out"></label>
    <label><input type="checkbox" name="open"> with something open</label> <output></output>`;
  const show = () => {
    const words = form.words.value.toLowerCase().split(/\s+/).filter(Boolean);
    const ofPoint = new Map(); // a point has a row in each table: what is asked of it is asked of all of them together
    for (const { point, text, open } of rows) {
      const known = ofPoint.get(point) ?? { text: "", open: false };
      ofPoint.set(point, { text: `${known.text} ${text}`, open: known.open || open });
    }
    const stays = (point) => {
      const { text, open } = ofPoint.get(point);
      return words.every((word) => text.includes(word)) && (open || !form.open.checked);
    };
    for (const { row, point } of rows) row.hidden = !stays(point);
    form.querySelector("output").value = `${[...ofPoint.keys()].filter(stays).length} of ${all} points`;
  };
  form.addEventListener("input", show);
  form.addEventListener("submit", (event) => event.preventDefault());
  tables[0].closest(".claim-scroll").before(form);
  show();
})();
