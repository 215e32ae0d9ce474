"""Formulas that nobody wrote: what textbooks print, composed at random."""

import latex

LOWER, UPPER = "abcdefghijklmnopqrstuvwxyz", "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
GREEK = [rf"\{n}" for n in ("alpha beta gamma delta epsilon varepsilon zeta eta theta kappa lambda mu nu xi pi rho sigma tau phi varphi chi psi "
                            "omega Gamma Delta Theta Lambda Xi Pi Sigma Phi Psi Omega").split()]
FUNCTIONS = [rf"\{n}" for n in "sin cos tan cot sec csc log ln exp sinh cosh tanh arcsin arccos arctan max min det".split()]
RELATIONS = ["="] * 12 + ["<", ">", r"\leq", r"\geq", r"\neq", r"\approx", r"\equiv", r"\sim", r"\to", r"\in", r"\Rightarrow", r"\subset",
                          r"\cong", r"\propto", r"\Leftrightarrow", r"\mapsto", r"\ll", r"\gg", r"\perp", r"\parallel", r"\notin"]
JOINS = ["+", "-"] * 5 + [""] * 6 + [r"\cdot", r"\times", r"\pm", r"\mp", "/", r"\cup", r"\cap", r"\wedge", r"\oplus", r"\otimes", r"\circ", r"\div", "*"]
ACCENTS = ["hat", "bar", "tilde", "vec", "dot", "ddot", "overline", "widehat", "widetilde", "underline", "mathbf", "mathcal", "mathbb", "boldsymbol", "mathrm"]
FENCES = [("(", ")")] * 5 + [("[", "]"), (r"\{", r"\}"), ("|", "|"), (r"\|", r"\|"), (r"\langle", r"\rangle"), (r"\lfloor", r"\rfloor")]


def join(*parts):
    return latex.join(parts)


class Maker:
    def __init__(self, rng):
        self.rng = rng

    def pick(self, some):
        return self.rng.choice(some)

    def letter(self):
        r = self.rng.random()
        return self.pick(LOWER) if r < 0.55 else self.pick(UPPER) if r < 0.75 else self.pick(GREEK)

    def number(self):
        r = self.rng.random()
        if r < 0.6:
            return str(self.rng.randint(0, 12))
        return str(self.rng.randint(10, 9999)) if r < 0.85 else f"{self.rng.randint(0, 99)}.{self.rng.randint(0, 999)}"

    def index(self):
        r = self.rng.random()
        if r < 0.6:
            return self.pick("ijknm012n" + LOWER)
        if r < 0.8:
            return self.pick(("i,j", "ij", "n+1", "n-1", "k-1", "2n", "-1", "i=1", "max", "0,1", "-x", "2k+1", r"\mu\nu", r"\infty", "jk", "*"))
        return self.sum(0)

    def scripted(self, base):
        r, group = self.rng.random(), lambda t: t if len(t) == 1 else "{" + t + "}"
        if r < 0.45:
            return base + "_" + group(self.index())
        if r < 0.8:
            return base + "^" + group(self.index() if self.rng.random() < 0.5 else self.pick("2223n"))
        if r < 0.9:
            return base + "_" + group(self.index()) + "^" + group(self.pick(("2", "n", "k", "*", r"\top", "T", "-1", r"\dagger", "(k)")))
        return base + "'" * self.rng.randint(1, 2)

    def atom(self, depth):
        r = self.rng.random()
        if r < 0.34 or depth <= 0 and r < 0.75:
            return self.letter() if self.rng.random() < 0.75 else self.number()
        if r < 0.55 or depth <= 0:
            return self.scripted(self.letter())
        if r < 0.66:
            return rf"\frac{{{self.sum(depth - 1)}}}{{{self.sum(depth - 1)}}}"
        if r < 0.71:
            degree = self.pick(("", "", "", "[3]", "[n]"))
            return rf"\sqrt{degree}{{{self.sum(depth - 1)}}}"
        if r < 0.77:
            f = self.pick(FUNCTIONS) + self.pick(("", "", "", "^2", "^{-1}"))
            return join(f, self.pick((self.letter(), "(" + self.sum(depth - 1) + ")", self.number())))
        if r < 0.84:
            a, b = self.pick(FENCES)
            inner = self.sum(depth - 1)
            tall = "\\frac" in inner or "\\s" in inner or "\\int" in inner
            made = join(rf"\left{a}" if tall else a, inner, rf"\right{b}" if tall else b)
            return made + self.pick(("", "", "^2", "^n", "_i", "^{-1}"))
        if r < 0.9:
            accent, inner = self.pick(ACCENTS), self.pick(LOWER + UPPER)
            if accent in ("mathcal", "mathbb"):
                inner = self.pick(UPPER)
            return self.scripted(rf"\{accent}{{{inner}}}") if self.rng.random() < 0.4 else rf"\{accent}{{{inner}}}"
        if r < 0.955:
            return self.big(depth)
        if r < 0.975:
            return join(self.letter(), "(" + ",".join(self.letter() for _ in range(self.rng.randint(1, 3))) + ")")
        return self.pick((r"\infty", r"\partial", r"\nabla", r"\emptyset", r"\hbar", r"\ell", r"\ldots", r"90^\circ", r"\angle ABC", r"\triangle ABC",
                          r"50\%", r"\forall x", r"\exists y", r"\cdots", r"\mathrm{d}x", r"10^{-3}\mathrm{m}", r"25\mathrm{cm}", "n!", r"\binom{n}{k}"))

    def big(self, depth):
        r = self.rng.random()
        body = self.atom(depth - 1)
        if r < 0.4:
            low, high = self.pick(("i=1", "n=0", "k=1", "j=1", "i", "x", r"i\in I", "n=1")), self.pick(("n", r"\infty", "N", "m", "k", "n-1"))
            sign = self.pick((r"\sum", r"\sum", r"\prod", r"\bigcup", r"\bigcap", r"\bigoplus"))
            return join(f"{sign}_{{{low}}}" + (f"^{{{high}}}" if len(high) > 1 else f"^{high}"), body) if self.rng.random() < 0.8 else join(sign, body)
        if r < 0.75:
            sign = self.pick((r"\int", r"\int", r"\iint", r"\oint"))
            bounds = self.pick(("", "_0^1", "_a^b", r"_{-\infty}^{\infty}", r"_0^\infty", "_D", r"_0^{2\pi}", "_0^x", r"_\Omega"))
            return join(sign + bounds, body, self.pick(("dx", r"\mathrm{d}x", "dt", r"\mathrm{d}t", "dy", r"d\theta", "dxdy")))
        if r < 0.9:
            return join(rf"\lim_{{{self.pick(LOWER)}\to {self.pick(('0', 'a', 'b'))}}}" if self.rng.random() < 0.5 else r"\lim_{n\to\infty}", body)
        return rf"\frac{{{self.pick((chr(92) + 'partial ', 'd', 'd^2'))}{self.pick(LOWER)}}}{{{self.pick(('dx', 'dt', chr(92) + 'partial x', 'dx^2', chr(92) + 'partial t'))}}}"

    def sum(self, depth):
        out = self.pick(("", "", "", "", "-")) + self.atom(depth)
        for _ in range(self.rng.choice((0, 0, 1, 1, 2, 3) if depth else (0, 0, 0, 1))):
            out = join(out, self.pick(JOINS), self.atom(depth))
        return out

    def relation(self):
        depth = self.rng.choice((0, 1, 1, 2, 2, 3))
        out = self.sum(depth)
        for _ in range(self.rng.choice((0, 1, 1, 1, 1, 2))):
            out = join(out, self.pick(RELATIONS), self.sum(depth))
        return out

    def formula(self):
        r = self.rng.random()
        if r < 0.72:
            return self.relation()
        if r < 0.78:
            return join(self.relation(), ",", self.relation())
        if r < 0.88:
            kind = self.pick(("pmatrix", "bmatrix", "vmatrix", "pmatrix", "matrix", "Bmatrix"))
            rows, columns = self.rng.randint(1, 4), self.rng.randint(1, 4)
            cell = lambda: self.pick((self.number(), self.letter(), self.scripted(self.letter()), self.pick((r"\cdots", r"\vdots", r"\ddots", "0")), self.sum(0)))
            body = r"\\ ".join("&".join(cell() for _ in range(columns)) for _ in range(rows))
            return join(self.pick((self.letter() + "=", "", self.sum(0) + "=")), rf"\begin{{{kind}}}{body}\end{{{kind}}}", self.pick(("", "", "=" + self.letter(), self.scripted(self.letter()))))
        if r < 0.94:
            rows = [self.sum(1) + "," + self.pick(("&", "&", "&")) + self.pick((self.relation(), r"\text{if }" + self.sum(0) + self.pick(("=", ">", "<", r"\geq ")) + self.number(),
                                                   r"\text{otherwise}", r"\mathrm{if}" + self.letter() + ">0")) for _ in range(self.rng.randint(2, 3))]
            if self.rng.random() < 0.4:
                rows = [self.relation() for _ in rows]
            return join(self.letter() + self.pick(("(x)=", "=", "")), r"\begin{cases}" + r"\\ ".join(rows) + r"\end{cases}")
        rows = [join(self.sum(1) if n == 0 or self.rng.random() < 0.4 else "", "&" + self.pick(RELATIONS), self.sum(2)) for n in range(self.rng.randint(2, 4))]
        return r"\begin{aligned}" + r"\\ ".join(rows) + r"\end{aligned}"
