/* Dragging a page within its tree sends the form of its page of moves. The keyboard has the link "Move". */
(() => {
  const EDGE = 0.3;  // of a row's height: before and after it; between them: under it
  const PLACES = ["before", "under", "after"];
  let taken = null, over = null, place = "";

  const tree = () => document.querySelector("#tree[data-move]");
  const twigAt = (e) => (tree() && e.target.closest ? e.target.closest("#tree .twig") : null);
  const named = (twig) => twig.querySelector(".entry-title").textContent.trim() || `#${twig.dataset.number}`;
  const say = (text, twig) => {
    // Not in #said, which is seen: rows that move away under the pointer cannot be aimed at.
    document.getElementById("tree-says").textContent = twig ? text.replace("%s", named(twig)) : text;
  };
  const unmark = () => {
    if (over) over.classList.remove(...PLACES.map((each) => `drop-${each}`));
    over = null;
    place = "";
  };
  const placeIn = (twig, y) => {
    const box = twig.firstElementChild.getBoundingClientRect(), part = (y - box.top) / box.height;
    if (part < EDGE) return "before";
    return part > 1 - EDGE ? "after" : "under";
  };

  document.addEventListener("pointerdown", (e) => {
    const twig = twigAt(e);
    if (twig && twig.querySelector(":scope > .entry .twig-move")) twig.firstElementChild.draggable = true;
  });
  document.addEventListener("dragstart", (e) => {
    const twig = twigAt(e);
    if (!twig || !twig.querySelector(":scope > .entry .twig-move")) return;
    taken = twig;
    e.dataTransfer.effectAllowed = "move";
    e.dataTransfer.setData("text/plain", `#${twig.dataset.number}`);
    twig.classList.add("is-taken");
    say(tree().dataset.taken, twig);
  });
  document.addEventListener("dragover", (e) => {
    if (!taken) return;
    const twig = twigAt(e);
    if (!twig || taken.contains(twig)) { unmark(); return; }
    e.preventDefault();
    e.dataTransfer.dropEffect = "move";
    const wanted = placeIn(twig, e.clientY);
    if (twig === over && wanted === place) return;
    unmark();
    over = twig;
    place = wanted;
    twig.classList.add(`drop-${place}`);
    say(tree().dataset[`over${place[0].toUpperCase()}${place.slice(1)}`], twig);
  });
  document.addEventListener("drop", (e) => {
    if (!taken || !over) return;
    e.preventDefault();
    const form = document.getElementById("dragged");
    form.action = tree().dataset.move.replace("/items/0/", `/items/${taken.dataset.number}/`);
    form.elements.where.value = place;
    form.elements.target.value = over.dataset.number;
    taken.classList.remove("is-taken");
    taken = null;
    unmark();
    form.submit();
  });
  document.addEventListener("dragend", () => {
    if (!taken) return;
    taken.classList.remove("is-taken");
    taken = null;
    unmark();
    if (tree()) say(tree().dataset.left);
  });
})();
