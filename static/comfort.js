/* Comfort only: every page works without it. Copy buttons, "select all", shortcuts, tabs and filters in place, focus after a swap. */
(() => {
  const $ = (s) => document.querySelector(s);
  const say = (text) => { const p = document.createElement("p"); p.textContent = text; $("#said").replaceChildren(p); };

  document.addEventListener("click", async (e) => {
    document.querySelectorAll(".menu[open]").forEach((m) => { if (!m.contains(e.target)) m.open = false; });
    const b = e.target.closest("[data-copy]");
    if (b) { await navigator.clipboard.writeText(document.getElementById(b.dataset.copy).textContent.trim()); say("Copied."); }
  });
  document.addEventListener("change", (e) => {
    if (e.target.matches("[data-all]")) document.querySelectorAll(e.target.dataset.all).forEach((c) => { c.checked = e.target.checked; });
  });

  /* Filters, and links to the same page with another query, change #main alone. Tabs do so by hx-boost in the head of the project. */
  const isSamePage = (a) => a.pathname === location.pathname && !a.hash && !a.target;
  const inPlace = () => document.querySelectorAll('#main form.filters[method="get"], #main a[href]').forEach((el) => {
    if (el.matches("a") && !isSamePage(el)) return;
    const show = el.closest(".pager") ? "top" : "none";
    const hx = { boost: "true", target: "#main", select: "#main", swap: `outerHTML show:${show}`, "select-oob": "#tabs:innerHTML,#said:innerHTML" };
    Object.entries(hx).forEach(([name, value]) => el.setAttribute(`hx-${name}`, value));
  });
  inPlace(); // htmx looks at the page after this

  /* Scripts of a page that came by a tab; what is swapped in holds none. */
  const loadScripts = (html) => new DOMParser().parseFromString(html, "text/html").querySelectorAll("head script[src]").forEach((s) => {
    const src = s.getAttribute("src");
    if (document.querySelector(`script[src="${CSS.escape(src)}"]`)) return;
    document.head.append(Object.assign(document.createElement("script"), { src }));
  });

  /* Whatever is not a page of the same kind is loaded as a page: faults, redirects, a server that is away. */
  const isMain = (e) => e.detail.boosted && e.detail.target?.id === "main";
  const load = (e) => { if (isMain(e)) location.assign(e.detail.pathInfo.finalRequestPath); };
  document.addEventListener("htmx:responseError", load);
  document.addEventListener("htmx:sendError", load);
  document.addEventListener("htmx:beforeSwap", (e) => {
    const { xhr, pathInfo } = e.detail;
    if (!isMain(e) || !xhr.responseURL || e.detail.isError) return;
    if (new URL(xhr.responseURL).pathname === new URL(pathInfo.finalRequestPath, location.href).pathname) return;
    e.detail.shouldSwap = false;
    location.assign(xhr.responseURL);
  });

  /* Where the focus goes after #main was swapped: a tab leads to the heading, a page of a list to its first entry, a view to itself. */
  const focus = (el) => { if (el) { if (el.tabIndex < 0) el.tabIndex = -1; el.focus({ preventScroll: true }); } };
  const heading = () => $("#main h1") ?? $("#main");
  let next = heading;
  document.addEventListener("htmx:beforeRequest", (e) => {
    const el = e.detail.elt, label = el.closest("nav")?.getAttribute("aria-label");
    if (e.detail.target?.id !== "main") return;
    $("#main").setAttribute("aria-busy", "true");
    if (el.closest(".tabs")) next = heading;
    else if (el.matches("form")) next = () => $("#main form.filters [type=submit]") ?? heading();
    else if (el.closest(".pager")) next = () => titles()[0] ?? heading();
    else next = () => (label && $(`#main nav[aria-label="${CSS.escape(label)}"] [aria-current]`)) || heading();
  });
  document.addEventListener("htmx:afterRequest", () => $("#main").removeAttribute("aria-busy"));
  document.addEventListener("htmx:afterSwap", (e) => {
    if (e.target.id !== "main") return;
    inPlace();
    loadScripts(e.detail.xhr.responseText);
  });
  document.addEventListener("htmx:afterSettle", (e) => {
    /* One element of a response may carry data-focus: the next row, or the heading of an emptied list. */
    const f = $("[data-focus]");
    if (f) { f.removeAttribute("data-focus"); f.focus(); }
    if (e.target.id !== "main") return;
    if (!f && (!document.activeElement || document.activeElement === document.body || next === heading)) focus(next());
    const words = [$("#main h1"), $("#main .empty h2")].filter(Boolean).map((each) => each.textContent.trim().replace(/\s+/g, " "));
    $("#heard").textContent = words.join(". ");
  });

  /* Shortcuts. <html data-keys="off"> (a setting) turns the single keys off. */
  const titles = () => [...document.querySelectorAll(".entry-title a, .tasks .title a, .side-table th a")];
  const tab = (word) => `.tabs a[href*="/${word}/"]`;
  const places = { w: ".topbar .brand", t: tab("tasks"), m: tab("memories"), d: tab("docs"), r: tab("moderation"), p: '.topbar a[href$="/projects/"]', k: '.topbar a[href$="/settings/keys/"]' };
  let g = 0;
  document.addEventListener("keydown", (e) => {
    if (e.key === "Escape") { const m = $(".menu[open]"); if (m) { m.open = false; m.firstElementChild.focus(); } return; }
    if (document.documentElement.dataset.keys === "off" || e.ctrlKey || e.metaKey || e.altKey || e.target.matches("input:not([type=checkbox], [type=radio]), textarea, select")) return;
    const list = titles(), row = document.activeElement.closest(".entry, tr"), at = row ? list.findIndex((a) => row.contains(a)) : -1;
    const step = (n) => { const a = list[Math.max(0, Math.min(list.length - 1, at + n))]; if (a) a.focus(); };
    const act = {
      "/": () => $("#find")?.focus(), a: () => $("#reason")?.focus(), j: () => step(1), k: () => step(-1),
      x: () => { const c = row?.querySelector(".entry-pick"); if (c) c.click(); },
      "[": () => $(".queue-nav a[rel=prev]")?.click(), "]": () => $(".queue-nav a[rel=next]")?.click(),
      v: () => $(".seg[data-compare] a:not([aria-current])")?.click(), g: () => { g = e.timeStamp; },
      "?": () => $("a[data-help]")?.click(),
    };
    if (g && e.timeStamp - g < 1200 && places[e.key]) { $(places[e.key])?.click(); e.preventDefault(); }
    else if (act[e.key]) { act[e.key](); e.preventDefault(); }
    if (e.key !== "g") g = 0;
  });
})();
