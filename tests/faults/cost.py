"""What the box costs a document: the same runs with --sandbox on and off in turn, by processor time."""
import shutil
import statistics

from case import SAMPLES, Case, Run


def milliseconds(binary, source, target, mode):
    run = Run(binary, Case("", [source, "-o", target, "--sandbox", mode, "--force", "--model", "none", "--lang", "eng"], set()))
    return run.cpu_seconds * 1000, run.seconds * 1000, run.code


def run_cost(binary, folder, times):
    """`times` runs a mode; medians, and the quartiles of the difference of neighbours."""
    many = folder / "many"
    many.mkdir()
    for i in range(40):
        shutil.copy(SAMPLES / "letter.pdf", many / f"{i:02}.pdf")
    figures, wrong = {}, 0
    for name, source, documents in (("letter.pdf", SAMPLES / "letter.pdf", 1), ("report.pdf", SAMPLES / "report.pdf", 1),
                                    ("scan.pdf", SAMPLES / "scan.pdf", 1), ("a folder of 40 letters", many, 40)):
        target = folder / "out" if documents > 1 else folder / "out.md"
        both = []
        for i in range(times if name != "scan.pdf" else max(3, times // 3)):
            order = ("on", "off") if i % 2 else ("off", "on")
            both.append({mode: milliseconds(binary, source, target, mode) for mode in order})
        wrong += sum(run[2] != 0 for pair in both for run in pair.values())
        differences = [(pair["on"][0] - pair["off"][0]) / documents for pair in both]
        low, middle, high = statistics.quantiles(differences, n=4)
        figures[name] = {"runs a mode": len(both), "cpu_ms a document": {mode: round(statistics.median(pair[mode][0] for pair in both) / documents, 1) for mode in ("off", "on")},
                         "difference_ms": {"quarter": round(low, 1), "median": round(middle, 1), "three quarters": round(high, 1)},
                         "wall_ms a run": {mode: round(statistics.median(pair[mode][1] for pair in both)) for mode in ("off", "on")}}
    return {**figures, "wrong": wrong}
