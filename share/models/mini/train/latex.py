"""LaTeX formulas in one form, so that what looks alike is written alike: the truth of the formulas that the model reads.

Spacing, numbers and sizes of delimiters are left out, indices come before exponents, and of several names of a sign one is taken."""

import re

_TOKEN = re.compile(r"\\(?:operatorname|[hv]space|tag)\*|\\[a-zA-Z]+|\\.|\\\n|\s+|[^\\]", re.S)
GONE = set(r"\nonumber \notag \displaystyle \textstyle \scriptstyle \scriptscriptstyle \limits \nolimits \quad \qquad \, \; \! \: \> \ \/ "
           r"\strut \small \thinspace \null \protect \relax \medspace \allowbreak \mathstrut \break \nobreak \noindent \bigl \bigr "
           r"\Bigl \Bigr \biggl \biggr \Biggl \Biggr \bigm \big \Big \bigg \Bigg \bigm \mit \mathord \mathrel \mathbin \mathinner "
           r"\mathopen \mathclose \mathpunct \footnotesize \normalsize \large \unboldmath \boldmath \hfill \hfil \centering".split()) | {"\\ ", "~", "\\\n"}
SAME = {r"\le": r"\leq", r"\ge": r"\geq", r"\ne": r"\neq", r"\rightarrow": r"\to", r"\leftarrow": r"\gets", r"\lVert": r"\|",
        r"\rVert": r"\|", r"\Vert": r"\|", r"\vert": "|", r"\lvert": "|", r"\rvert": "|", r"\mid": "|", r"\ast": "*",
        r"\lbrace": r"\{", r"\rbrace": r"\}", r"\lbrack": "[", r"\rbrack": "]", r"\dots": r"\ldots", r"\dotsc": r"\ldots",
        r"\dotsb": r"\cdots", r"\dotsm": r"\cdots", r"\dfrac": r"\frac", r"\tfrac": r"\frac", r"\cfrac": r"\frac", r"\land": r"\wedge",
        r"\lor": r"\vee", r"\dag": r"\dagger", r"\bm": r"\boldsymbol", r"\pmb": r"\boldsymbol", r"\mbox": r"\text",
        r"\hbox": r"\text", r"\textrm": r"\text", r"\textnormal": r"\text", r"\bot": r"\perp", r"\leqslant": r"\leq", r"\geqslant": r"\geq",
        r"\owns": r"\ni", r"\dbinom": r"\binom", r"\implies": r"\Longrightarrow", r"\iff": r"\Longleftrightarrow", r"\stackrel": r"\overset",
        r"\thickapprox": r"\approx", r"\thicksim": r"\sim", r"\varnothing": r"\emptyset", r"\Bbb": r"\mathbb", r"\frak": r"\mathfrak",
        r"\operatorname*": r"\operatorname", r"\textup": r"\text", r"\mathds": r"\mathbb", r"\trm": r"\text", r"\overrightarrow": r"\vec",
        r"\colon": ":", r"\smallsetminus": r"\setminus", r"\backslash": r"\setminus", r"\bmod": r"\mathrm{mod}"}
SWITCHES = {r"\cal": r"\mathcal", r"\bf": r"\mathbf", r"\rm": r"\mathrm", r"\it": r"\mathit", r"\sf": r"\mathsf", r"\tt": r"\mathtt",
            r"\bfseries": r"\mathbf", r"\rmfamily": r"\mathrm", r"\em": r"\mathit", r"\frak": r"\mathfrak"}
ARGUMENTS = {r"\frac": 2, r"\binom": 2, r"\overset": 2, r"\underset": 2, r"\sqrt": 1, r"\hat": 1, r"\bar": 1, r"\tilde": 1, r"\vec": 1,
             r"\dot": 1, r"\ddot": 1, r"\widehat": 1, r"\widetilde": 1, r"\overline": 1, r"\underline": 1, r"\mathcal": 1,
             r"\mathbf": 1, r"\mathrm": 1, r"\mathit": 1, r"\mathsf": 1, r"\mathbb": 1, r"\mathfrak": 1, r"\mathscr": 1, r"\mathtt": 1,
             r"\boldsymbol": 1, r"\text": 1, r"\operatorname": 1, r"\acute": 1, r"\grave": 1, r"\check": 1, r"\breve": 1,
             r"\overbrace": 1, r"\underbrace": 1, r"\mathring": 1, r"\boxed": 1, r"\pmod": 1, r"\xrightarrow": 1}
FONTS = (r"\mathcal", r"\mathbf", r"\mathrm", r"\mathit", r"\mathsf", r"\mathbb", r"\mathfrak", r"\mathscr", r"\mathtt", r"\boldsymbol")
TALL = re.compile(r"\\(frac|sum|int|prod|begin|binom|sqrt|left|oint|bigcup|bigcap|iint|over|overset|underset|underbrace|hat|tilde|bar|vec|dot|ddot|widetilde|widehat|overline)(?![a-zA-Z])|[_^]")
ALIGNED = {"align": "aligned", "eqnarray": "aligned", "alignat": "aligned", "split": "aligned", "flalign": "aligned", "aligned": "aligned",
           "gather": "gathered", "multline": "gathered", "gathered": "gathered", "alignedat": "aligned"}
KEPT = {"matrix", "pmatrix", "bmatrix", "vmatrix", "Vmatrix", "Bmatrix", "cases", "smallmatrix"}
WRAPPERS = {"equation", "displaymath", "math", "subequations", "small"}


# Tokens of the model: what formulas most often hold.
TOKENS = [rf"\{name}" for name in (
    "frac mathrm right left sqrt mathcal to mu pi alpha int sum mathbf partial times infty cdot in otimes phi nu lambda "
    "delta beta theta bar sigma gamma pm circ wedge rho cap oplus psi omega cup mp eta tilde tau varphi kappa epsilon Omega "
    "div cdots Gamma varepsilon Delta xi mathbb Phi ldots Lambda leq chi hat rangle equiv geq dot Psi lim sim langle Sigma "
    "dagger Pi zeta overline sin subset Theta mapsto approx cos exp vec ln log cong mathfrak Xi prod ell neq nabla perp "
    "Rightarrow widetilde propto ll oint det sinh longrightarrow Leftrightarrow ddot rfloor lfloor parallel gg notin "
    "underline cosh bigcup hbar widehat vdots boldsymbol text angle triangle ").split()]
TOKENS += [rf"\{edge}{{{name}}}" for name in ("aligned", "cases", "pmatrix", "matrix", "vmatrix", "bmatrix") for edge in ("begin", "end")]
OPEN, CLOSE = r"\(", r"\)"  # around a formula within text
TOKENS += [OPEN, CLOSE]


def is_text(text):
    """Words, most often with formulas among them, and no formula by itself."""
    return OPEN in text or " " in text and "\\" not in text


class Unreadable(ValueError):
    """The source holds what this module does not write in one form."""


class _Parser:
    def __init__(self, text):
        self.tokens = [t for t in _TOKEN.findall(text)]
        self.at = 0

    def peek(self):
        return self.tokens[self.at] if self.at < len(self.tokens) else None

    def next(self):
        self.at += 1
        if self.at > len(self.tokens):
            raise Unreadable("ends within a group")
        return self.tokens[self.at - 1]

    def blanks(self):
        while (t := self.peek()) is not None and t.isspace():
            self.at += 1

    def raw_group(self):
        """The text within braces, as it stands."""
        self.blanks()
        if self.next() != "{":
            raise Unreadable("no group")
        depth, out = 1, []
        while True:
            t = self.next()
            depth += {"{": 1, "}": -1}.get(t, 0)
            if not depth:
                return "".join(out)
            out.append(t)

    def argument(self):
        self.blanks()
        t = self.peek()
        if t is None:
            raise Unreadable("no argument")
        if t == "{":
            self.at += 1
            return self.until({"}"})
        return self.item()

    def until(self, ends):
        """Atoms up to one of `ends`, which is taken; [(what, its indices)] in one form."""
        out, font = [], None
        while True:
            t = self.peek()
            if t is None:
                if None in ends:
                    return close(out, font)
                raise Unreadable("ends within a group")
            if t in ends:
                self.at += 1
                return close(out, font)
            if t.isspace() or t in GONE:
                self.at += 1
                continue
            if t in SWITCHES:
                self.at += 1
                out = [close(out, font)] if out else []
                font = (SWITCHES[t], len(out))
                continue
            if t in (r"\over", r"\choose", r"\atop"):
                if t == r"\atop":
                    raise Unreadable(t)
                self.at += 1
                return (r"\frac" if t == r"\over" else r"\binom") + group(close(out, font), True) + group(self.until(ends), True)
            if t in "_^'":
                self.scripts(out)
                continue
            out.append(self.item())

    def scripts(self, out):
        below, above, primes = None, None, ""
        while True:
            self.blanks()
            t = self.peek()
            if t in (r"\limits", r"\nolimits"):
                self.at += 1
                continue
            if t == "'":
                primes += "'"
                self.at += 1
            elif t == "_" and below is None:
                self.at += 1
                below = self.argument()
            elif t == "^" and above is None:
                self.at += 1
                above = self.argument()
            else:
                break
        if below is None and above is None and not primes:
            raise Unreadable("two indices")
        if above is not None and re.fullmatch(r"(\\prime ?)+", above):
            primes, above = primes + "'" * above.count("prime"), None
        if not out:
            out.append("{}")
        out.append(primes + ("_" + group(below) if below not in (None, "") else "") + ("^" + group(above) if above not in (None, "") else ""))

    def item(self):
        """One sign or command with its arguments."""
        t = self.next()
        t = SAME.get(t, t)
        if t == "{":
            return self.until({"}"})
        if t == r"\begin":
            return self.environment(self.raw_group())
        if t in ("}", "&", r"\end", "$", "#", r"\[", r"\]", r"\(", r"\)", "%", "\\\\", "^", "_"):
            raise Unreadable(t)
        if t == r"\not":
            return join([r"\not", self.item()])
        if t in (r"\hspace", r"\vspace", r"\label", r"\tag", r"\hspace*", r"\phantom", r"\vphantom", r"\hphantom", r"\color", r"\tag*"):
            self.raw_group()
            return ""
        if t in (r"\mathop", r"\operatorname"):
            inner = self.argument()
            name = re.fullmatch(r"(?:\\mathrm\{)?([A-Za-z]+)\}?", inner)
            return (r"\mathrm{" + name[1] + "}") if name else inner
        if t == r"\text":
            inner = " ".join(self.raw_group().split())
            if re.search(r"[$\\]", inner):
                raise Unreadable(inner)
            return (r"\text{" if not inner.isalpha() else r"\mathrm{") + inner + "}" if inner else ""
        if t == r"\sqrt":
            self.blanks()
            degree = ""
            if self.peek() == "[":
                self.at += 1
                degree = "[" + self.until({"]"}) + "]"
            return t + degree + group(self.argument(), True)
        if t == r"\pmod":
            return r"(\mathrm{mod}" + self.argument() + ")"
        if t in ARGUMENTS:
            parts = [self.argument() for _ in range(ARGUMENTS[t])]
            if t in FONTS and parts[0].startswith(FONTS):
                return parts[0]
            return t + "".join(group(p, True) for p in parts)
        if re.fullmatch(r"\\[a-zA-Z]+\*?", t) and t not in KNOWN:
            raise Unreadable(t)
        return t

    def environment(self, name):
        star, name = name.endswith("*"), name.rstrip("*")
        if name in WRAPPERS:
            return self.rows(name + "*" * star)[0][0]
        columns = ""
        if name == "array":
            self.blanks()
            if self.peek() == "[":
                while self.next() != "]":
                    pass
            columns = "{" + re.sub(r"[^lcr|]", "", re.sub(r"@\{[^}]*\}", "", self.raw_group())) + "}"
        elif name in ("alignat", "alignedat"):
            self.raw_group()
        elif name not in ALIGNED and name not in KEPT:
            raise Unreadable(name)
        rows = self.rows(name + "*" * star)
        if name == "eqnarray":
            rows = [[r[0], join(r[1:])] if len(r) > 2 else r for r in rows]
        kind = ALIGNED.get(name, name)
        while rows and not any(rows[-1]):
            rows.pop()
        rows = [r for r in rows if any(r)]
        if kind in ("aligned", "gathered") and len(rows) <= 1:
            return join([c for r in rows for c in r])
        if kind == "gathered":
            rows = [[join(r)] for r in rows]
        return r"\begin{" + kind + "}" + columns + r"\\ ".join("&".join(r) for r in rows) + r"\end{" + kind + "}"

    def rows(self, name):
        rows = [[]]
        while True:
            rows[-1].append(self.cell())
            t = self.next()
            if t == "&":
                continue
            if t == "\\\\" or t == r"\cr":
                if self.peek() == "*":
                    self.at += 1
                if self.peek() == "[":
                    while self.next() != "]":
                        pass
                rows.append([])
                continue
            if self.raw_group() != name:
                raise Unreadable("another end")
            return rows

    def cell(self):
        start, depth = self.at, 0
        while True:
            t = self.peek()
            if t is None:
                raise Unreadable("ends within an environment")
            if t == r"\begin":
                depth += 1
            if depth == 0 and t in ("&", "\\\\", r"\cr", r"\end"):
                break
            if t == r"\end":
                depth -= 1
            if t == "{":
                self.raw_group()
                continue
            self.at += 1
        inner = _Parser("".join(self.tokens[start:self.at]).replace(r"\hline", ""))
        return inner.until({None})


def close(parts, font):
    if font:
        name, at = font
        inside = join(parts[at:])
        parts = parts[:at] + ([name + "{" + inside + "}"] if inside else [])
    return join(parts)


def join(parts):
    out = ""
    for p in parts:
        if out and p and p[0].isalpha() and re.search(r"\\[a-zA-Z]+$", out):
            out += " "
        out += p
    return out


def group(inner, always=False):
    return inner if not always and (len(inner) == 1 or re.fullmatch(r"\\[a-zA-Z]+", inner)) else "{" + inner + "}"


KNOWN = set(rf"\{name}" for name in (
    "alpha beta gamma delta epsilon varepsilon zeta eta theta vartheta iota kappa lambda mu nu xi pi varpi rho varrho sigma varsigma tau "
    "upsilon phi varphi chi psi omega Gamma Delta Theta Lambda Xi Pi Sigma Upsilon Phi Psi Omega to gets infty partial nabla sum prod "
    "coprod int iint iiint oint bigcup bigcap bigoplus bigotimes bigvee bigwedge bigsqcup in notin ni subset subseteq supset supseteq "
    "subsetneq cup cap setminus times otimes oplus ominus odot cdot cdots ldots vdots ddots circ bullet star dagger ddagger pm mp "
    "div leq geq neq equiv sim simeq approx cong propto ll gg prec succ preceq succeq perp parallel nparallel asymp doteq wedge vee neg lnot "
    "forall exists nexists emptyset longrightarrow longleftarrow Rightarrow Leftarrow Leftrightarrow leftrightarrow Longrightarrow "
    "Longleftrightarrow longleftrightarrow mapsto longmapsto hookrightarrow rightharpoonup rightleftharpoons uparrow downarrow nearrow "
    "searrow leadsto langle rangle lfloor rfloor lceil rceil ell hbar Re Im aleph imath jmath wp prime angle triangle square Box diamond "
    "Diamond therefore because lim limsup liminf max min sup inf sin cos tan cot sec csc sinh cosh tanh coth arcsin arccos arctan log ln "
    "exp det dim ker deg gcd arg hom Pr sharp flat natural top models vdash dashv vDash mod boxtimes amalg smile frown lesssim gtrsim "
    "lessgtr triangleleft triangleright lhd rhd unlhd rtimes ltimes wr sqcup sqcap sqsubseteq twoheadrightarrow rightrightarrows "
    "nmid nsubseteq checkmark complement blacksquare left right").split()) | {r"\|", r"\{", r"\}", r"\%", r"\&", r"\#", r"\_", r"\$"}


def delimiters(text):
    r"""\left and \right stay where something tall is between them, and go elsewhere."""
    out, stack, at = [], [], 0
    for m in re.finditer(r"\\(left|right)(?![a-zA-Z])\s*(\\[a-zA-Z]+|\\.|.)", text, re.S):
        out.append(text[at:m.start()])
        at = m.end()
        if m[1] == "left":
            stack.append((len(out), m[2]))
            out.append(None)
            continue
        if not stack:
            raise Unreadable(r"\right")
        where, opening = stack.pop()
        inside = "".join(o for o in out[where + 1:])
        tall = TALL.search(inside) or "." in (opening, m[2])
        out[where] = ("\x01" if tall else "") + opening + " "
        out.append(("\x02" if tall else "") + m[2] + " ")
    if stack:
        raise Unreadable(r"\left")
    return "".join(out) + text[at:]


def one_form(text):
    """`text`, the LaTeX of a formula, in the form that the model writes. Unreadable where it holds something else."""
    text = re.sub(r"(?<!\\)%.*", "", text)
    text = re.sub(r"\\(hskip|kern|mkern|mskip|vskip)\s*-?[\d.]+\s*(mm|cm|pt|em|ex|mu|in)|\\(?:phantom|hspace|vspace|vphantom)\*?\{[^{}]*\}|\\(?:label|tag)\*?\{[^{}]*\}", " ", text)
    made = _Parser(delimiters(text)).until({None})
    if re.search(r"\\\\ [*\[]", made):
        raise Unreadable("a bracket begins a row")
    return made.replace("\x01", r"\left").replace("\x02", r"\right").strip().rstrip(".,; ")
