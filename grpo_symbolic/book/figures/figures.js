/* Figures with controls: each stands in the page as static pictures and as JSON; with Plotly here, plots take the place
   of the pictures, and the controls choose which of the precomputed settings is shown. Nothing is requested. */
"use strict";

(function () {
  function array(base64) {
    const bytes = Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));
    return new Float32Array(bytes.buffer);
  }

  function make(name, classes, parent) {
    const element = document.createElement(name);
    element.className = classes;
    parent.append(element);
    return element;
  }

  function control(about, parent, changed) {
    const row = make("label", "figure-control", parent);
    const words = make("span", "figure-control-words", row);
    words.innerHTML = about.words;
    const input = make("input", "", row);
    const shown = make("output", "", row);
    Object.assign(input, { type: "range", min: 0, max: about.values.length - 1, step: 1, value: about.start });
    function say() {
      shown.textContent = about.values[input.value];
      input.setAttribute("aria-valuetext", about.values[input.value]);
    }
    input.addEventListener("input", () => { say(); changed(); });
    say();
    return input;
  }

  function start(figure) {
    const about = JSON.parse(figure.querySelector("script.figure-data").textContent);
    const pictures = figure.querySelector(".figure-pictures");
    const live = document.createElement("div");
    live.className = "figure-live";
    pictures.before(live);
    const controls = make("div", "figure-controls", live);
    const plots = make("div", "figure-panels", live);
    const panels = about.panels.map((panel) => {
      const box = make("div", "figure-panel", plots);
      const plot = make("div", "figure-plot", box);
      plot.setAttribute("role", "img");
      plot.setAttribute("aria-label", figure.dataset.alt);
      const note = make("p", "figure-note", box);
      note.setAttribute("aria-live", "polite");
      return { plot, note, ...panel };
    });
    const decoded = new Map();
    const values = (at) => {
      if (!decoded.has(at)) decoded.set(at, array(about.arrays[at]));
      return decoded.get(at);
    };
    const fixed = matchMedia("(pointer: coarse)").matches; // on a touch screen a finger on the plot scrolls the page
    const config = { displayModeBar: false, responsive: true, showTips: false };

    function show() {
      const frame = about.frames[inputs.reduce((sum, input, k) => sum * about.controls[k].values.length + Number(input.value), 0)];
      panels.forEach((panel, k) => {
        const data = panel.data.map((trace, t) => {
          const [x, y] = frame[k].at[t];
          return { ...trace, x: values(x), y: values(y) };
        });
        const layout = { ...panel.layout, title: { ...panel.layout.title, text: frame[k].title } };
        layout.xaxis = { ...layout.xaxis, fixedrange: fixed };
        layout.yaxis = { ...layout.yaxis, fixedrange: fixed };
        panel.note.textContent = frame[k].note;
        panel.note.hidden = !frame[k].note;
        Plotly.react(panel.plot, data, layout, config);
      });
    }

    const inputs = about.controls.map((c) => control(c, controls, show));
    show();
    pictures.hidden = true;
  }

  document.addEventListener("DOMContentLoaded", () => {
    if (window.Plotly) document.querySelectorAll(".figure-of[data-alt]").forEach(start);
  });
})();
