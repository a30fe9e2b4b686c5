// A link to a claim shows what the claim says, its title and its verdicts: to a pointer that rests on it, and to the
// keyboard. Its words are the link's title, which the browser itself shows where this script does not run.
(() => {
  const [OPENS, STAYS] = [150, 250]; // milliseconds
  let card, link, timer;
  const hide = () => {
    clearTimeout(timer);
    card?.remove();
    link?.removeAttribute("aria-describedby");
    card = link = undefined;
  };
  const place = () => {
    const line = link.getClientRects()[0];
    const [wide, high] = [document.documentElement.clientWidth, window.innerHeight];
    if (!line || line.bottom < 0 || line.top > high) return hide();
    card.style.left = `${Math.max(8, Math.min(line.left, wide - card.offsetWidth - 8))}px`;
    const below = line.bottom + card.offsetHeight + 8 < high;
    card.style.top = `${below ? line.bottom + 4 : Math.max(8, line.top - card.offsetHeight - 4)}px`;
  };
  const show = (to) => {
    if (to === link) return clearTimeout(timer);
    hide();
    link = to;
    card = document.createElement("div");
    card.className = "claim-preview";
    card.id = "claim-preview";
    card.setAttribute("role", "tooltip");
    const words = to.dataset.claim.split(" · ");
    const [title, verdicts] = words.splice(-2); // before them is what it says, where it says it in a line
    for (const line of [words.join(" · "), title, verdicts].filter(Boolean)) {
      card.append(Object.assign(document.createElement("p"), { textContent: line }));
    }
    document.body.append(card);
    to.setAttribute("aria-describedby", card.id);
    place();
  };
  const linkOf = (event) => {
    const to = event.target.closest?.("a.claim-link");
    if (to?.title) {
      to.dataset.claim = to.title;
      to.removeAttribute("title"); // or the browser shows it too
    }
    return to;
  };
  const later = (act, time) => {
    clearTimeout(timer);
    timer = setTimeout(act, time);
  };
  document.addEventListener("pointerover", (event) => {
    if (event.pointerType === "touch") return;
    const to = linkOf(event);
    if (to) later(() => show(to), OPENS);
    else if (card?.contains(event.target)) clearTimeout(timer);
    else if (card) later(hide, STAYS);
    else clearTimeout(timer);
  });
  document.addEventListener("focusin", (event) => {
    const to = linkOf(event);
    if (to?.matches(":focus-visible")) show(to);
    else hide();
  });
  document.addEventListener("focusout", hide);
  document.addEventListener("keydown", (event) => event.key === "Escape" && hide());
  document.addEventListener("scroll", () => card && place(), { passive: true });
})();
