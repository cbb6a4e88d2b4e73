// What the page can do with a keyboard and cannot do without a script: nothing that a link does not do as well.
(() => {
  "use strict";
  const typing = (target) => target.closest("input, textarea, select, [contenteditable]");
  const follow = (link) => link && link.click();

  function step(by) {
    const links = [...document.querySelectorAll(".results h2 a, .items li > a, .notes > li > a")];
    if (!links.length) return;
    const at = links.indexOf(document.activeElement);
    const next = at < 0 ? (by > 0 ? 0 : links.length - 1) : Math.min(links.length - 1, Math.max(0, at + by));
    links[next].focus();
  }

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || typing(event.target)) return;
    const keys = document.getElementById("keys");
    const actions = {
      "/": () => document.getElementById("q")?.focus(),
      j: () => step(1),
      k: () => step(-1),
      n: () => follow(document.querySelector("a[rel=next]")),
      p: () => follow(document.querySelector("a[rel=prev]")),
      "?": () => (keys.open ? keys.close() : keys.showModal()),
    };
    if (!(event.key in actions) || (keys?.open && event.key !== "?")) return;
    event.preventDefault();
    actions[event.key]();
  });

  document.addEventListener("click", async (event) => {
    const button = event.target.closest("[data-copy]");
    if (!button) return;
    await navigator.clipboard.writeText(document.getElementById(button.dataset.copy).textContent);
    button.textContent = "Copied";
  });

  // A recording goes to the time of a cue.
  document.addEventListener("click", (event) => {
    const cue = event.target.closest("[data-seek]");
    const player = document.querySelector(".player");
    if (!cue || !player) return;
    event.preventDefault();
    player.currentTime = Number(cue.dataset.seek);
    player.play();
  });

  // Where the service does not answer, the page says so instead of staying as it was.
  for (const kind of ["htmx:sendError", "htmx:responseError", "htmx:timeout"]) {
    document.addEventListener(kind, (event) => {
      const told = document.createElement("p");
      told.className = "problem";
      told.setAttribute("role", "alert");
      const status = event.detail.xhr && event.detail.xhr.status;
      told.textContent = status ? `The service refused this (${status}).` : "The service does not answer. Is it still running?";
      document.querySelectorAll("main > .problem").forEach((older) => older.remove());
      document.getElementById("content").prepend(told);
    });
  }

  // Files that are dropped on the form are those that it sends.
  document.querySelectorAll("[data-drop]").forEach((form) => {
    const over = (event) => {
      event.preventDefault();
      form.classList.toggle("over", event.type === "dragover");
    };
    form.addEventListener("dragover", over);
    form.addEventListener("dragleave", over);
    form.addEventListener("drop", (event) => {
      over(event);
      form.querySelector("input[type=file]").files = event.dataTransfer.files;
      form.requestSubmit();
    });
  });

  // A job tells how far it is, and the page is looked at anew when it has ended.
  document.querySelectorAll("[data-progress]").forEach((told) => {
    const source = new EventSource(told.dataset.progress);
    const bar = document.querySelector("progress");
    source.addEventListener("progress", (event) => {
      const now = JSON.parse(event.data);
      told.textContent = now.step ? `${now.step}: ${now.done}${now.total ? ` of ${now.total}` : ""}` : now.state;
      if (now.total) [bar.max, bar.value] = [now.total, now.done];
      if (["done", "failed", "cancelled"].includes(now.state)) {
        source.close();
        location.reload();
      }
    });
  });

  const show = (root) => root.querySelectorAll("[data-copy]").forEach((button) => (button.hidden = false));
  show(document);
  document.addEventListener("htmx:afterSwap", (event) => show(event.target));
})();
