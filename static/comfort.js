/* Comfort only: every page works without it. Copy buttons, "select all", shortcuts, focus after a swap. */
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

  /* One element of a swapped response may carry data-focus: the next row, or the heading of an emptied list. */
  document.addEventListener("htmx:afterSettle", () => {
    const f = $("[data-focus]");
    if (f) { f.removeAttribute("data-focus"); f.focus(); }
  });

  /* Shortcuts. <html data-keys="off"> (a setting) turns the single keys off. */
  const titles = () => [...document.querySelectorAll(".entry-title a, .tasks .title a")];
  const places = { r: '.tabs a[href$="/moderation/"]', p: '.topbar a[href$="/projects/"]', k: '.topbar a[href$="/settings/keys/"]' };
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
