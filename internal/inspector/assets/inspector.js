// Keeps parts of a page up to date, requests suggestions while the user types, and copies text. Pages
// work without this script. The server renders everything: an event names the stale parts, which
// are then taken from the current version of the page.
(() => {
  const base = document.body.dataset.base;
  const status = document.getElementById("status");
  const stale = new Set();
  let loading = false, timer = 0;

  // A new version of a page is parsed as a document in which no scripts run.
  const load = () => new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open("GET", location.pathname + location.search);
    request.responseType = "document";
    request.addEventListener("load", () => (request.response ? resolve(request.response) : reject(new Error("no page"))));
    request.addEventListener("error", () => reject(new Error("no answer")));
    request.send();
  });

  const insert = (list, fresh) => {
    const first = list.firstElementChild;
    for (const child of [...fresh.children]) {
      if (document.getElementById(child.id)) continue;
      list.insertBefore(document.adoptNode(child), first);
    }
    while (list.children.length > 500) list.lastElementChild.remove();
  };

  const replace = (old, fresh) => {
    const focused = document.activeElement && old.contains(document.activeElement) ? document.activeElement.id : "";
    const opened = [...old.querySelectorAll("details")].map((d) => d.open);
    const settled = fresh.dataset.settled;
    if (settled && settled !== old.dataset.settled) status.textContent = settled;
    if (fresh.id === "waiting" && fresh.childElementCount > old.childElementCount) status.textContent = fresh.lastElementChild.textContent;
    fresh = document.adoptNode(fresh);
    old.replaceWith(fresh);
    [...fresh.querySelectorAll("details")].forEach((d, n) => { d.open = d.open || !!opened[n]; });
    if (focused && document.getElementById(focused)) document.getElementById(focused).focus();
    copyable(fresh);
  };

  const refresh = async () => {
    timer = 0;
    if (loading) return;
    const parts = [...document.querySelectorAll("[data-live]")].filter((e) => e.dataset.live.split(" ").some((part) => stale.has(part) || stale.has("*")));
    stale.clear();
    if (parts.length === 0) return;
    loading = true;
    try {
      const page = await load();
      for (const old of parts) {
        const fresh = page.getElementById(old.id);
        if (!fresh && old.hasAttribute("data-reload")) location.reload();
        if (!fresh) continue;
        if (old.hasAttribute("data-new")) insert(old, fresh);
        else if (old.outerHTML !== fresh.outerHTML) replace(old, fresh);
      }
    } catch { /* the next event tries again */ }
    loading = false;
    if (stale.size > 0) later();
  };
  const later = () => { if (!timer) timer = setTimeout(refresh, 100); };

  // A browser has few connections to one host, so hidden pages close theirs.
  let source = null, begun = false;
  const listen = () => {
    if (document.hidden) {
      if (source) source.close();
      source = null;
      return;
    }
    if (source) return;
    source = new EventSource(base + "/events");
    source.addEventListener("ready", (e) => {
      if (begun || e.data !== document.body.dataset.changes) stale.add("*");
      begun = true;
      document.body.dataset.ready = "true";
      later();
    });
    source.addEventListener("stale", (e) => {
      for (const part of e.data.split(" ")) stale.add(part);
      later();
    });
  };
  document.addEventListener("visibilitychange", listen);
  addEventListener("pagehide", () => { if (source) source.close(); source = null; });
  addEventListener("pageshow", listen);
  listen();

  // The server's suggestions for the arguments of prompts and the variables of templates.
  for (const input of document.querySelectorAll("input[data-complete]")) {
    const form = input.form;
    let typing = 0, asked = null;
    const suggest = async () => {
      const parameters = new URLSearchParams({ kind: form.dataset.kind, name: form.dataset.name, argument: input.name });
      for (const other of form.querySelectorAll("input[data-complete]")) parameters.set(other.name, other.value);
      if (asked) asked.abort();
      asked = new AbortController();
      try {
        const answer = await fetch(base + "/complete?" + parameters, { signal: asked.signal });
        if (!answer.ok) return;
        const found = await answer.json();
        input.list.replaceChildren(...found.values.map((value) => {
          const option = document.createElement("option");
          option.value = value;
          return option;
        }));
      } catch { /* the button asks, too */ }
    };
    const soon = () => {
      clearTimeout(typing);
      typing = setTimeout(suggest, 150);
    };
    input.addEventListener("input", soon);
    input.addEventListener("focus", soon);
  }

  const copyable = (root) => docentCopyButtons(root, "main pre, .block pre, pre.code");
  copyable(document);
})();
