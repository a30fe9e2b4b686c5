// Run by runtime.py under Node.js when the book is built: what the browser will import is compiled, once, by the Python
// of the browser, whose byte code no other Python writes.
//   node prepare.mjs PYODIDE SITE.zip COMPILED.zip
import { readFileSync, writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [folder, site, compiled] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(`${folder}/pyodide.mjs`));
const python = await loadPyodide({ indexURL: `${folder}/` });
const packages = "/lib/python3.14/site-packages";
python.unpackArchive(new Uint8Array(readFileSync(site)), "zip", { extractDir: packages });
python.globals.set("packages", packages);
process.on("uncaughtException", (problem) => {
  console.error(problem.message); // and not the source of Pyodide, on one line
  process.exit(1);
});
python.runPython(`
import py_compile, sys, zipfile
from pathlib import Path
from grpo_symbolic.book.live import desk

desk.explore({"group_size": "8", "beta": "1/25", "p_ref": "3/10", "divergence": "reverse-kl"}, {})
desk.check("vy-eq14", lambda message: None)
desk.check_changed("vy-eq14", 0, lambda message: None)
used = {Path(f) for m in list(sys.modules.values()) if (f := getattr(m, "__file__", None)) and f.endswith(".py")}
own = set(Path(packages, "grpo_symbolic").rglob("*.py"))
with zipfile.ZipFile("/compiled.zip", "w") as archive:
    for file in sorted(f for f in used | own if packages in str(f)):
        made = py_compile.compile(file, doraise=True, invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH)
        archive.write(made, str(Path(made).relative_to(packages)))
`);
writeFileSync(compiled, python.FS.readFile("/compiled.zip"));
