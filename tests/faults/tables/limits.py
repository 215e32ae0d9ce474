"""Limits of the process, and readers of its output that go away."""
from case import LETTER, ROOT, SAMPLES, Case, limit

REPORT = SAMPLES / "report.pdf"


def cases(folder):
    none = ["--model", "none"]

    def nothing(name):
        return lambda run: ["a part was left as the document"] if (folder / name).exists() else []

    out = folder / "f.md"
    yield Case("ulimit -f 0", [REPORT, "-o", out, *none], {5}, shell=limit("f", 0), check=nothing("f.md"))
    yield Case("ulimit -f 1", [REPORT, "-o", out, "-t", "md,html", *none], {5}, shell=limit("f", 1))
    yield Case("ulimit -f 0 with a model", [LETTER, "-o", out, "--model", "builtin"], {5}, shell=limit("f", 0))
    yield Case("ulimit -f 0, draft", ["draft", LETTER, "-o", folder / "d.json"], {5}, shell=limit("f", 0))
    for kind, value in (("v", 100_000), ("v", 300_000), ("v", 600_000), ("v", 1_000_000), ("d", 1000), ("d", 20_000), ("d", 60_000)):
        for model in ("none", "builtin"):
            yield Case(f"ulimit -{kind} {value}, model {model}", [LETTER, "--model", model, "--max-new-tokens", "8"],
                       {0, 2, 3, 7, 127}, shell=limit(kind, value), never=("internal error", "terminate called"))
    for number in (3, 4, 5, 6, 8, 10, 12, 16, 24):
        yield Case(f"ulimit -n {number}", [LETTER, *none], {0, 2, 5, 7, 127}, shell=limit("n", number),
                   never=("internal error", "repair"))
    for size in (16, 64, 128, 256, 1024):
        yield Case(f"ulimit -s {size}", [LETTER, *none], {0, 2, 7, 127, 137, 139}, shell=limit("s", size), never=("repair",),
                   check=lambda run: ["dies by a signal"] if run.code > 128 and size > 64 else [])
    for size in (64, 256):
        yield Case(f"ulimit -s {size}, scan", [SAMPLES / "scan.pdf", *none], {0, 2, 7}, shell=limit("s", size), never=("repair",))
    yield Case("ulimit -t 1", [SAMPLES / "scan.pdf", SAMPLES / "mixed.pdf", "-o", folder / "t/", *none], {0, 2, 3, 7, 137, 152},
               shell=limit("t", 1))
    full = {"doctor": ["doctor"], "--help": ["--help"], "--version": ["--version"], "convert": [LETTER, *none],
            "draft": ["draft", LETTER], "model info": ["model", "info", "builtin"], "help convert": ["help", "convert"],
            "generate": ["generate", "man"]}
    for name, words in full.items():
        codes = {5} if name != "generate" else {1, 5}
        yield Case(f"{name} > /dev/full", words, codes, shell='exec "$0" "$@" >/dev/full')
        yield Case(f"{name} | head -1", words, {0} if name != "generate" else {0, 1},
                   shell='{ "$0" "$@"; echo $? >' + str(folder / "code") + '; } | head -1 >/dev/null; read code <'
                   + str(folder / "code") + '; case $code in 0|1|141) exit 0;; *) exit 9;; esac',
                   never=("cannot be written", "Broken pipe"))
    yield Case("errors to a full device", ["nothing.pdf"], {2}, shell='exec "$0" "$@" 2>/dev/full')
    yield Case("errors to a closed pipe", [REPORT, "-o", folder / "e.md", "-v", *none], {0}, shell='{ "$0" "$@"; echo $? >' +
               str(folder / "code") + '; } 2>&1 | true; read code <' + str(folder / "code") + '; exit $code')
    for variable in ("HOME", "XDG_CACHE_HOME", "TMPDIR"):
        for value in ("", "/nonexistent", "/dev/null", "/proc"):
            yield Case(f"{variable}={value}", [LETTER, "--model", "none"], {0}, environment={variable: value})
    (folder / "cost").mkdir()
    yield Case("cost cache is a folder", [LETTER, "--model", "builtin", "--max-new-tokens", "8"], {0, 3},
               environment={"XDG_CACHE_HOME": str(folder / "cost")}, never=("internal", "cost-"),
               shell='"$0" "$@" >/dev/null 2>&1; cd "$XDG_CACHE_HOME/docspec" && for f in *; do rm -rf "$f"; mkdir "$f"; done; exec "$0" "$@"')
    yield Case("cost cache is damaged", [LETTER, "--model", "builtin", "--max-new-tokens", "8"], {0, 3}, never=("internal",),
               environment={"XDG_CACHE_HOME": str(folder / "cost2")},
               shell='"$0" "$@" >/dev/null 2>&1; cd "$XDG_CACHE_HOME/docspec" && for f in *; do '
               "sed -i 's/points.:/points\":[[1e400,-1],3,{}],\"x\":/' $f; done; exec \"$0\" \"$@\"")
    yield Case("share folder is missing", [LETTER, "--model", "builtin"], {0, 3, 4}, environment={"DOCSPEC_SHARE": str(ROOT / "none")})
