"use strict";
for (const table of document.querySelectorAll("table.all")) {
  const body = table.tBodies[0], rows = [...body.rows], field = document.getElementById("find");
  field.hidden = false;
  field.addEventListener("input", () => {
    const wanted = field.value.toLowerCase();
    for (const row of rows) row.hidden = !row.cells[0].textContent.toLowerCase().includes(wanted);
  });
  [...table.tHead.rows[0].cells].forEach((cell, at) => {
    cell.dataset.sort = "";
    cell.tabIndex = 0;
    let down = true;
    const value = (row) => row.cells[at].dataset.value ?? row.cells[at].textContent;
    const sort = () => {
      rows.sort((a, b) => {
        const [x, y] = [value(a), value(b)], number = Number(x) - Number(y);
        return (down ? -1 : 1) * (Number.isNaN(number) ? y.localeCompare(x) : number);
      });
      down = !down;
      body.append(...rows);
    };
    cell.addEventListener("click", sort);
    cell.addEventListener("keydown", (event) => { if (event.key === "Enter") sort(); });
  });
}
