// Search while typing, keyboard shortcuts and copy buttons. Pages work without this script.
(() => {
  const input = document.getElementById("q");
  const form = document.getElementById("find");
  const list = document.getElementById("results");
  const where = document.getElementById("in");
  const status = document.getElementById("status");
  let results = [], chosen = -1, request = null, timer = 0;

  const close = () => {
    list.hidden = true;
    chosen = -1;
    input.setAttribute("aria-expanded", "false");
    input.removeAttribute("aria-activedescendant");
  };

  const choose = (index) => {
    const options = list.children;
    if (options[chosen]) options[chosen].setAttribute("aria-selected", "false");
    chosen = index;
    if (!options[chosen]) return input.removeAttribute("aria-activedescendant");
    options[chosen].setAttribute("aria-selected", "true");
    options[chosen].scrollIntoView({ block: "nearest" });
    input.setAttribute("aria-activedescendant", options[chosen].id);
  };

  const part = (name, text) => {
    const span = document.createElement("span");
    span.className = name;
    span.textContent = text;
    return span;
  };

  const show = (found) => {
    results = found;
    list.replaceChildren(...found.map((r, i) => {
      const option = document.createElement("li");
      option.id = "result-" + i;
      option.setAttribute("role", "option");
      option.setAttribute("aria-selected", "false");
      option.append(part("name", r.name), part("tag", r.kind || ""), part("in", r.package));
      if (r.synopsis) option.append(part("what", r.synopsis));
      option.addEventListener("mousedown", (e) => e.preventDefault());
      option.addEventListener("click", (e) => {
        if (e.ctrlKey || e.metaKey) window.open(r.href, "_blank", "noopener");
        else location.href = r.href;
      });
      return option;
    }));
    list.hidden = found.length === 0;
    input.setAttribute("aria-expanded", String(found.length > 0));
    status.textContent = found.length === 1 ? "1 result" : found.length + " results";
    chosen = -1;
    input.removeAttribute("aria-activedescendant");
  };

  // An exported site has no server, so its search looks for names in an index.
  const root = document.documentElement.dataset.root;
  const link = (file) => root + "/" + file.split("/").map(encodeURIComponent).join("/");
  let loading = null;
  const load = () => {
    loading ??= new Promise((resolve, reject) => {
      const script = document.createElement("script");
      script.src = link("assets/index.js");
      script.addEventListener("load", resolve);
      script.addEventListener("error", reject);
      document.head.append(script);
    });
    return loading;
  };
  const score = (name, words) => {
    const lower = name.toLowerCase();
    let sum = 0;
    for (const word of words) {
      const at = lower.lastIndexOf(word);
      if (at < 0) return 0;
      const start = at === 0 || /[^a-z0-9]/.test(lower[at - 1]);
      sum += (start ? 2 : 1) + 3 * word.length / lower.length + (lower === word ? 4 : 0);
    }
    return sum;
  };
  const searchIndex = async (query) => {
    await load();
    const words = query.toLowerCase().split(/\s+/);
    const { packages, entries } = globalThis.docentIndex;
    return entries
      .map((entry) => ({ entry, score: score(entry[0], words) }))
      .filter((found) => found.score > 0)
      .sort((a, b) => b.score - a.score)
      .slice(0, 12)
      .map(({ entry: [name, kind, number, file] }) => ({ name, kind, package: packages[number], href: link(file) }));
  };

  const search = async () => {
    const query = input.value.trim();
    if (request) request.abort();
    if (!query) {
      show([]);
      return;
    }
    if (root !== undefined) {
      const found = await searchIndex(query);
      if (input.value.trim() === query) show(found);
      return;
    }
    request = new AbortController();
    const parameters = new URLSearchParams({ q: query, format: "json" });
    if (where && where.value) parameters.set("in", where.value);
    try {
      const answer = await fetch(form.action + "?" + parameters, { signal: request.signal });
      if (!answer.ok) throw new Error(String(answer.status));
      const found = await answer.json();
      if (input.value.trim() === query) show((found || []).slice(0, 12));
    } catch (e) {
      if (e.name !== "AbortError") show([]);
    }
  };

  if (input && list) {
    if (root !== undefined) form.hidden = false;
    form.addEventListener("submit", (e) => {
      if (chosen >= 0) location.href = results[chosen].href;
      if (chosen >= 0 || root !== undefined) e.preventDefault();
    });
    input.setAttribute("role", "combobox");
    input.setAttribute("aria-controls", "results");
    input.setAttribute("aria-expanded", "false");
    input.setAttribute("aria-autocomplete", "list");
    input.addEventListener("input", () => {
      clearTimeout(timer);
      timer = setTimeout(search, 60);
    });
    input.addEventListener("keydown", (e) => {
      const n = results.length;
      if (e.key === "ArrowDown" && n && !list.hidden) choose((chosen + 1) % n);
      else if (e.key === "ArrowUp" && n && !list.hidden) choose((chosen - 1 + n) % n);
      else if (e.key === "Escape" && !list.hidden) close();
      else if (e.key === "Escape") input.blur();
      else return;
      e.preventDefault();
    });
    input.addEventListener("blur", close);
    input.addEventListener("focus", () => { if (results.length) show(results); });
    if (where) where.addEventListener("change", () => { input.focus(); search(); });
  }

  document.addEventListener("keydown", (e) => {
    const typing = e.target.closest("input, textarea, select, [contenteditable]");
    if (e.key !== "/" || typing || e.ctrlKey || e.metaKey || e.altKey || !input) return;
    e.preventDefault();
    input.focus();
    input.select();
  });

  docentCopyButtons(document, "pre.code, .prose pre, pre.declaration");

  // A link to a folded part unfolds it.
  const unfold = () => {
    const target = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
    for (let e = target; e; e = e.parentElement) if (e.tagName === "DETAILS") e.open = true;
    if (target) target.scrollIntoView();
    const line = !target && /^#L(\d+)$/.exec(location.hash);
    if (line) otherPart(Number(line[1]));
  };

  // A line of a long file may be on another page of the file.
  const otherPart = (line) => {
    for (const a of document.querySelectorAll("nav.parts a")) {
      const [first, last] = a.textContent.replaceAll(",", "").split("–").map(Number);
      if (first <= line && line <= last) location.replace(a.href + "#L" + line);
    }
  };
  addEventListener("hashchange", unfold);
  if (location.hash) unfold();
})();
