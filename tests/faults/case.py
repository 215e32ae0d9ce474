"""One fault: what is done to docspec, and what must come of it."""
import os
import resource
import signal
import subprocess
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SAMPLES = ROOT / "share/samples"
LETTER = SAMPLES / "letter.pdf"
HANGS = 300  # seconds of waiting; no case works that long
MOST_BYTES = 4 << 30  # of private memory a process: the machine must outlive what is tried on it


@dataclass
class Case:
    """`args` of docspec, or `shell`: a script that has docspec as "$0" and `args` as "$@"."""
    name: str
    args: list
    codes: set
    says: tuple = ()  # each stands in what is printed
    never: tuple = ()  # none does
    shell: str = ""
    stdin: bytes = b""
    environment: dict = field(default_factory=dict)
    folder: Path = None  # the working folder
    during: object = None  # called with the process
    cpu_seconds: float = 30  # of all processes of the run
    megabytes: int = 2048  # of the largest one
    check: object = None  # called with the Run; gives what is wrong


def limit_memory():
    resource.setrlimit(resource.RLIMIT_DATA, (MOST_BYTES, MOST_BYTES))


class Run:
    """A finished docspec: exit code (128 + N for signal N), what it printed, what it took."""

    def __init__(self, binary, case):
        words = [os.fsencode(word) for word in case.args]
        command = ["/bin/sh", "-c", case.shell, binary, *words] if case.shell else [binary, *words]
        environment = {**os.environ, "XDG_CONFIG_HOME": "/nonexistent", **case.environment}
        environment.pop("DOCSPEC_MODEL", None)
        begin = time.monotonic()
        with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err, tempfile.TemporaryFile() as given:
            given.write(case.stdin)
            given.seek(0)
            child = subprocess.Popen(command, stdin=given, stdout=out, stderr=err, env=environment,
                                     cwd=case.folder, start_new_session=True, preexec_fn=limit_memory)
            if case.during:
                case.during(child)
            self.hung = not self.ended(child, begin + HANGS)
            if self.hung:
                os.killpg(child.pid, signal.SIGKILL)
            _, status, usage = os.wait4(child.pid, 0)
            child.returncode = 0
            out.seek(0), err.seek(0)
            self.out, self.err = out.read(), err.read()
        self.seconds = time.monotonic() - begin
        self.code = 128 + os.WTERMSIG(status) if os.WIFSIGNALED(status) else os.WEXITSTATUS(status)
        self.cpu_seconds = usage.ru_utime + usage.ru_stime
        self.megabytes = usage.ru_maxrss / 1024
        self.text = (self.err + self.out).decode(errors="replace")

    @staticmethod
    def ended(child, until):
        while time.monotonic() < until:
            if os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT):
                return True
            time.sleep(0.02)
        return False

    def message(self):
        lines = [line.strip() for line in self.err.decode(errors="replace").splitlines()]
        problems = [line for line in lines if line.startswith(("failed", "fallback", "error"))]
        return (problems or [line for line in lines if line.startswith("docspec:")] or [""])[0]


def wrong_with(case, run):
    wrong = []
    if run.hung:
        wrong.append("hangs")
    elif run.code not in case.codes:
        wrong.append(f"exit {run.code}, not {sorted(case.codes)}")
    wrong += [f"does not say {part!r}" for part in case.says if part not in run.text]
    wrong += [f"says {part!r}" for part in case.never if part in run.text]
    # The built-in model reads a whole page: a minute and more on processors with AVX2 alone.
    model = "builtin" in case.args or "builtin" in case.shell
    if run.cpu_seconds > case.cpu_seconds * (8 if model else 1):
        wrong.append(f"works for {run.cpu_seconds:.0f} s")
    if run.megabytes > case.megabytes:
        wrong.append(f"takes {run.megabytes:.0f} MB")
    return wrong + (case.check(run) if case.check else [])


def limit(kind, value):
    """The shell's words for a limit of the process."""
    return f"ulimit -{kind} {value}; exec \"$0\" \"$@\""


def mounted(kind, options, folder):
    """Whether a file system of this kind could be mounted there; needs root."""
    folder.mkdir(exist_ok=True)
    return os.getuid() == 0 and subprocess.run(
        ["mount", "-t", kind, "-o", options, kind, str(folder)], capture_output=True).returncode == 0


def unmount(folder):
    subprocess.run(["umount", "-l", str(folder)], check=True)
