// A displayed formula that is wider than its place is set smaller, down to a size that can still be read; then it scrolls.
(() => {
  const SMALLEST = 0.5;
  const fit = (root) => {
    for (const formula of root.querySelectorAll('mjx-container[display="true"]')) {
      formula.dataset.size ??= formula.style.fontSize; // MathJax writes a size of its own there
      formula.style.fontSize = formula.dataset.size;
      const place = formula.parentElement.clientWidth;
      const wide = Math.max(formula.scrollWidth, formula.parentElement.scrollWidth);
      if (place > 0 && wide > place + 1) {
        const size = parseFloat(getComputedStyle(formula).fontSize);
        formula.style.fontSize = `${size * Math.max(SMALLEST, (0.99 * place) / wide)}px`;
      }
    }
  };
  const start = async () => {
    if (!window.MathJax || !MathJax.startup) return;
    await MathJax.startup.promise;
    fit(document);
    document.addEventListener("toggle", (event) => fit(event.target), true);
    window.addEventListener("resize", () => fit(document));
  };
  window.addEventListener("load", start);
})();
