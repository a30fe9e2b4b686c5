// A displayed formula that is wider than its place is set smaller, down to a size that can still be read; then it scrolls.
// MathJax typesets a formula when it comes into view, so that each is looked at when it appears.
(() => {
  const SMALLEST = 0.5;
  const DISPLAYED = 'mjx-container[display="true"]';
  const fit = (formula) => {
    if (formula.querySelector("mjx-lazy")) return; // not typeset yet
    formula.dataset.size ??= formula.style.fontSize; // MathJax writes a size of its own there
    formula.style.fontSize = formula.dataset.size;
    const place = formula.parentElement.clientWidth;
    const wide = Math.max(formula.scrollWidth, formula.parentElement.scrollWidth);
    if (place > 0 && wide > place + 1) {
      const size = parseFloat(getComputedStyle(formula).fontSize);
      formula.style.fontSize = `${size * Math.max(SMALLEST, (0.99 * place) / wide)}px`;
    }
  };
  const within = (root) => root.querySelectorAll(DISPLAYED).forEach(fit);
  const appeared = (changes) => {
    const found = new Set();
    for (const { target, addedNodes } of changes) {
      if (!addedNodes.length || target.nodeType !== Node.ELEMENT_NODE) continue;
      const around = target.closest(DISPLAYED);
      if (around) found.add(around);
      for (const node of addedNodes) if (node.matches?.(DISPLAYED)) found.add(node);
    }
    found.forEach(fit);
  };
  const start = async () => {
    if (!window.MathJax || !MathJax.startup) return;
    new MutationObserver(appeared).observe(document.body, { childList: true, subtree: true });
    await MathJax.startup.promise;
    within(document);
    document.addEventListener("toggle", (event) => within(event.target), true);
    window.addEventListener("resize", () => within(document));
  };
  window.addEventListener("load", start);
})();
