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

  const show = (root) => root.querySelectorAll("[data-copy]").forEach((button) => (button.hidden = false));
  show(document);
  document.addEventListener("htmx:afterSwap", (event) => show(event.target));
})();
