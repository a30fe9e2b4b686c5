// MathJax breaks a formula for the width that its place has; where the window gets another, formulas are set anew.
(() => {
  const PAUSE = 200; // milliseconds without a change
  const start = async () => {
    if (!window.MathJax?.startup?.promise) return;
    await MathJax.startup.promise;
    const formulas = MathJax.startup.document;
    // A book brings the font of one renderer; the menu would offer the other.
    formulas.menu?.menu.findID("Settings", "Renderer", "SVG")?.disable();
    let width = window.innerWidth;
    let waiting;
    window.addEventListener("resize", () => {
      if (window.innerWidth === width) return;
      width = window.innerWidth;
      clearTimeout(waiting);
      waiting = setTimeout(() => formulas.rerenderPromise?.(MathJax._.core.MathItem.STATE.METRICS), PAUSE);
    });
  };
  window.addEventListener("load", start);
})();
