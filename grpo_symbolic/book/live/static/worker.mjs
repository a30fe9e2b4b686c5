// Python in a worker: Pyodide and the package, from the folder of this script and from nowhere else. A message
// {number, call, given} is answered by {number, told} while it works, and at its end by {number, found}, {number,
// refused} with the sentence of a refusal, or {number, failed}; {stage} says what is being loaded.
import { loadPyodide } from "./pyodide.mjs";

const here = new URL("./", import.meta.url).href;
const bytes = async (name) => {
  const answer = await fetch(here + name);
  if (!answer.ok) throw new Error(`${name}: ${answer.status}`);
  return answer.arrayBuffer();
};

async function started() {
  postMessage({ stage: "Python is being loaded" });
  const [pure, site, verdicts] = ["pure.zip", "site.zip", "verdicts.json"].map(bytes);
  const python = await loadPyodide({ indexURL: here });
  postMessage({ stage: "SymPy and python-flint are being unpacked" });
  python.FS.writeFile("/lib/pure.zip", new Uint8Array(await pure));
  python.pyimport("sys").path.append("/lib/pure.zip");
  python.unpackArchive(await site, "zip", { extractDir: "/lib/python3.14/site-packages" });
  postMessage({ stage: "the package is being imported" });
  const desk = python.pyimport("grpo_symbolic.book.live.desk");
  desk.know(new TextDecoder().decode(await verdicts));
  postMessage({ stage: "" });
  return desk;
}

const desk = started();

onmessage = async ({ data: { number, call, given } }) => {
  try {
    const tell = (text) => postMessage({ number, told: JSON.parse(text) });
    postMessage({ number, ...JSON.parse((await desk).answer(call, JSON.stringify(given), tell)) });
  } catch (problem) {
    postMessage({ number, failed: String(problem.message ?? problem).trim().split("\n").at(-1) });
  }
};
