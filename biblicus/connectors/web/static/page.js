// What the page can do with a keyboard and cannot do without a script: nothing that a link does not do as well.
(() => {
  "use strict";
  const typing = (target) => target.closest("input, textarea, select, [contenteditable]");
  const revealed = (root) => root.querySelectorAll("[data-copy]").forEach((button) => (button.hidden = false));

  // --- a document beside the results: on narrow screens it lies over them ---

  // words that are selected in a document can be noted
  document.addEventListener("selectionchange", () => {
    const field = document.querySelector("[data-selected]"), selection = getSelection(), words = String(selection).trim();
    const place = selection.anchorNode?.parentElement;
    if (field && words && place?.closest("#reader") && !place.closest("form, details")) field.value = words;
  });

  const beside = document.getElementById("beside");
  const listed = () => [...document.querySelectorAll(".results h3 a, .items li > a")];
  let reading = 0, opened = Promise.resolve();
  // the next place of the document that was asked for last, not of one that it replaces
  const follow = (selector) => opened.then(() => document.querySelector(selector)?.click());
  const read = (link) => (opened = load(link));

  async function load(link) {
    const request = (reading += 1);
    document.querySelectorAll(".reading").forEach((other) => other.classList.remove("reading"));
    link.closest(".results > li")?.classList.add("reading");
    beside.setAttribute("aria-busy", "true");
    try {
      const answer = await fetch(link.href);
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      const reader = page.getElementById("reader") || page.querySelector("main > *");
      if (request !== reading) return;
      const alone = Object.assign(document.createElement("a"), { href: link.href, textContent: "Open alone" });
      const close = Object.assign(document.createElement("button"), { type: "button", className: "second", textContent: "Close" });
      close.addEventListener("click", () => history.back());
      const bar = document.createElement("div");
      bar.className = "bar over";
      bar.append(close, alone);
      beside.replaceChildren(bar, reader);
      if (!history.state?.beside) history.pushState({ beside: true }, "");
      revealed(beside);
      (beside.querySelector("#mark") || bar).scrollIntoView({ block: beside.querySelector("#mark") ? "center" : "start" });
    } catch {
      missed("The service does not answer. Is it still running?");
    } finally {
      if (request === reading) beside.removeAttribute("aria-busy");
    }
  }

  function closed() {
    if (!beside?.firstChild) return false;
    beside.replaceChildren();
    document.querySelector(".reading a")?.focus();
    document.querySelector(".reading")?.classList.remove("reading");
    return true;
  }
  addEventListener("popstate", closed);

  document.addEventListener("click", (event) => {
    const link = event.target.closest("a[href^='/c/']");
    if (!beside || !link || event.defaultPrevented || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
    if (link.closest(".over")) return;
    if (link.dataset.seek && document.querySelector(".player")) return;
    event.preventDefault();
    read(link);
  });

  function step(by) {
    const links = listed();
    if (!links.length) return;
    const read_now = links.findIndex((link) => link.closest(".reading"));
    const at = read_now < 0 ? links.indexOf(document.activeElement) : read_now;
    const next = at < 0 ? (by > 0 ? 0 : links.length - 1) : Math.min(links.length - 1, Math.max(0, at + by));
    links[next].focus();
    if (beside) read(links[next]);
  }

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || typing(event.target)) return;
    const keys = document.getElementById("keys");
    const actions = {
      "/": () => document.getElementById("q")?.focus(),
      j: () => step(1),
      k: () => step(-1),
      n: () => follow("a[rel=next]"),
      p: () => follow("a[rel=prev]"),
      Escape: () => beside?.firstChild && history.back(),
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

  // --- where the service does not answer, the page says so instead of going away ---

  function missed(words) {
    const notice = document.createElement("p");
    notice.className = "problem";
    notice.setAttribute("role", "alert");
    notice.textContent = words;
    document.querySelectorAll("main > .problem").forEach((older) => older.remove());
    document.getElementById("content").prepend(notice);
  }

  document.querySelectorAll("form.ask[role=search]").forEach((form) => {
    form.addEventListener("submit", (event) => {
      keep(document.getElementById("q").value);
      event.preventDefault();
      fetch("/static/icon.svg", { method: "HEAD", cache: "no-store" }).then(
        () => (location.href = `/?${new URLSearchParams([...new FormData(form)].filter(([, value]) => value))}`),
        () => missed("The service does not answer. Is it still running?"),
      );
    });
  });

  // --- suggestions: this person's earlier questions, which stay in this browser, and titles and headings ---

  const KEPT = "biblicus.questions";
  function earlier() {
    try {
      return JSON.parse(localStorage.getItem(KEPT)) || [];
    } catch {
      return [];
    }
  }
  function keep(question) {
    const words = question.trim();
    if (!words || words.length > 300) return;
    try {
      localStorage.setItem(KEPT, JSON.stringify([words, ...earlier().filter((other) => other !== words)].slice(0, 50)));
    } catch {
      // a browser that keeps nothing has no earlier questions
    }
  }

  const box = document.getElementById("q");
  let pause = 0;
  async function suggest() {
    const typed = box.value.trim().toLowerCase();
    const matching = earlier().filter((question) => question.toLowerCase().includes(typed)).slice(0, 5);
    let titles = [];
    if (typed.length > 1) {
      const corpora = [...new FormData(box.form).getAll("corpus")].map((name) => `&corpus=${encodeURIComponent(name)}`);
      titles = await fetch(`/suggest?q=${encodeURIComponent(typed)}${corpora[0] || ""}`).then((answer) => answer.json(), () => []);
    }
    if (box.value.trim().toLowerCase() !== typed) return;
    const options = [...new Set([...matching, ...(Array.isArray(titles) ? titles : [])])];
    document.getElementById("suggestions")?.replaceChildren(
      ...options.map((value) => Object.assign(document.createElement("option"), { value })),
    );
  }
  if (box?.form?.matches("form.ask[role=search]")) {
    box.addEventListener("focus", suggest, { once: true });
    box.addEventListener("input", () => {
      clearTimeout(pause);
      pause = setTimeout(suggest, 150);
    });
  }

  // --- a folder that is being read for the first time is asked again ---

  if (document.querySelector("[data-again]")) setTimeout(() => location.reload(), 1000);

  // The first page tells how far the indexing is; the question that is being typed stays.
  async function renew() {
    if (!document.querySelector("[data-now]")) return;
    const answer = await fetch(location.href).then((got) => got.text(), () => "");
    const cards = new DOMParser().parseFromString(answer, "text/html").querySelectorAll("section.card");
    document.querySelectorAll("section.card").forEach((card, at) => cards[at] && card.replaceWith(cards[at]));
    setTimeout(renew, 1500);
  }
  setTimeout(renew, 1500);

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
  document.querySelectorAll("[data-progress]").forEach((progress) => {
    const source = new EventSource(progress.dataset.progress);
    const bar = document.querySelector("progress");
    source.addEventListener("progress", (event) => {
      const now = JSON.parse(event.data);
      progress.textContent = now.step ? `${now.step}: ${now.done}${now.total ? ` of ${now.total}` : ""}` : now.state;
      if (now.total) [bar.max, bar.value] = [now.total, now.done];
      if (["done", "failed", "cancelled"].includes(now.state)) {
        source.close();
        location.reload();
      }
    });
  });

  revealed(document);
})();
