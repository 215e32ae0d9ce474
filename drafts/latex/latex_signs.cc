#include "drafts/latex/latex_signs.h"

#include <algorithm>
#include <array>
#include <utility>

namespace docspec {
namespace {

// By code point. clang-format would give each a line of its own.
// clang-format off
constexpr auto kSigns = std::to_array<std::pair<uint32_t, const char*>>({
    {0xA5, "\\yen"}, {0xA7, "\\S"}, {0xAC, "\\neg"}, {0xB0, "^\\circ"}, {0xB1, "\\pm"},
    {0xB6, "\\P"}, {0xB7, "\\cdot"}, {0xD7, "\\times"}, {0xDF, "\\text{ß}"}, {0xE6, "\\text{æ}"},
    {0xF7, "\\div"}, {0xF8, "\\text{ø}"}, {0x127, "\\hbar"}, {0x131, "\\imath"},
    {0x237, "\\jmath"}, {0x391, "\\mathrm{A}"}, {0x392, "\\mathrm{B}"}, {0x393, "\\Gamma"},
    {0x394, "\\Delta"}, {0x395, "\\mathrm{E}"}, {0x396, "\\mathrm{Z}"}, {0x397, "\\mathrm{H}"},
    {0x398, "\\Theta"}, {0x399, "\\mathrm{I}"}, {0x39A, "\\mathrm{K}"}, {0x39B, "\\Lambda"},
    {0x39C, "\\mathrm{M}"}, {0x39D, "\\mathrm{N}"}, {0x39E, "\\Xi"}, {0x39F, "\\mathrm{O}"},
    {0x3A0, "\\Pi"}, {0x3A1, "\\mathrm{P}"}, {0x3A3, "\\Sigma"}, {0x3A4, "\\mathrm{T}"},
    {0x3A5, "\\Upsilon"}, {0x3A6, "\\Phi"}, {0x3A7, "\\mathrm{X}"}, {0x3A8, "\\Psi"},
    {0x3A9, "\\Omega"}, {0x3B1, "\\alpha"}, {0x3B2, "\\beta"}, {0x3B3, "\\gamma"},
    {0x3B4, "\\delta"}, {0x3B5, "\\varepsilon"}, {0x3B6, "\\zeta"}, {0x3B7, "\\eta"},
    {0x3B8, "\\theta"}, {0x3B9, "\\iota"}, {0x3BA, "\\kappa"}, {0x3BB, "\\lambda"},
    {0x3BC, "\\mu"}, {0x3BD, "\\nu"}, {0x3BE, "\\xi"}, {0x3BF, "o"}, {0x3C0, "\\pi"},
    {0x3C1, "\\rho"}, {0x3C2, "\\varsigma"}, {0x3C3, "\\sigma"}, {0x3C4, "\\tau"},
    {0x3C5, "\\upsilon"}, {0x3C6, "\\varphi"}, {0x3C7, "\\chi"}, {0x3C8, "\\psi"},
    {0x3C9, "\\omega"}, {0x3D1, "\\vartheta"}, {0x3D2, "\\Upsilon"}, {0x3D5, "\\phi"},
    {0x3D6, "\\varpi"}, {0x3DD, "\\digamma"}, {0x3F0, "\\varkappa"}, {0x3F1, "\\varrho"},
    {0x3F5, "\\epsilon"}, {0x3F6, "\\backepsilon"}, {0x2013, "-"}, {0x2014, "-"}, {0x2016, "\\|"},
    {0x2018, "`"}, {0x2019, "'"}, {0x201C, "``"}, {0x201D, "''"}, {0x2020, "\\dagger"},
    {0x2021, "\\ddagger"}, {0x2022, "\\bullet"}, {0x2026, "\\dots"}, {0x2032, "'"},
    {0x2033, "''"}, {0x2044, "/"}, {0x2102, "\\mathbb{C}"}, {0x210B, "\\mathcal{H}"},
    {0x210D, "\\mathbb{H}"}, {0x210F, "\\hbar"}, {0x2110, "\\mathcal{I}"}, {0x2111, "\\Im"},
    {0x2112, "\\mathcal{L}"}, {0x2113, "\\ell"}, {0x2115, "\\mathbb{N}"}, {0x2118, "\\wp"},
    {0x2119, "\\mathbb{P}"}, {0x211A, "\\mathbb{Q}"}, {0x211B, "\\mathcal{R}"}, {0x211C, "\\Re"},
    {0x211D, "\\mathbb{R}"}, {0x2124, "\\mathbb{Z}"}, {0x2126, "\\Omega"}, {0x2127, "\\mho"},
    {0x212C, "\\mathcal{B}"}, {0x2130, "\\mathcal{E}"}, {0x2131, "\\mathcal{F}"},
    {0x2133, "\\mathcal{M}"}, {0x2135, "\\aleph"}, {0x2136, "\\beth"}, {0x2137, "\\gimel"},
    {0x2138, "\\daleth"}, {0x2190, "\\leftarrow"}, {0x2191, "\\uparrow"}, {0x2192, "\\to"},
    {0x2193, "\\downarrow"}, {0x2194, "\\leftrightarrow"}, {0x2195, "\\updownarrow"},
    {0x2196, "\\nwarrow"}, {0x2197, "\\nearrow"}, {0x2198, "\\searrow"}, {0x2199, "\\swarrow"},
    {0x219A, "\\nleftarrow"}, {0x219B, "\\nrightarrow"}, {0x219E, "\\twoheadleftarrow"},
    {0x21A0, "\\twoheadrightarrow"}, {0x21A3, "\\rightarrowtail"}, {0x21A6, "\\mapsto"},
    {0x21A9, "\\hookleftarrow"}, {0x21AA, "\\hookrightarrow"}, {0x21BC, "\\leftharpoonup"},
    {0x21BD, "\\leftharpoondown"}, {0x21BE, "\\upharpoonright"}, {0x21C0, "\\rightharpoonup"},
    {0x21C1, "\\rightharpoondown"}, {0x21C4, "\\rightleftarrows"}, {0x21C6, "\\leftrightarrows"},
    {0x21CB, "\\leftrightharpoons"}, {0x21CC, "\\rightleftharpoons"}, {0x21CD, "\\nLeftarrow"},
    {0x21CF, "\\nRightarrow"}, {0x21D0, "\\Leftarrow"}, {0x21D1, "\\Uparrow"},
    {0x21D2, "\\Rightarrow"}, {0x21D3, "\\Downarrow"}, {0x21D4, "\\Leftrightarrow"},
    {0x21D5, "\\Updownarrow"}, {0x21DC, "\\leftsquigarrow"}, {0x21DD, "\\rightsquigarrow"},
    {0x2200, "\\forall"}, {0x2201, "\\complement"}, {0x2202, "\\partial"}, {0x2203, "\\exists"},
    {0x2204, "\\nexists"}, {0x2205, "\\emptyset"}, {0x2206, "\\Delta"}, {0x2207, "\\nabla"},
    {0x2208, "\\in"}, {0x2209, "\\notin"}, {0x220B, "\\ni"}, {0x220C, "\\not\\ni"},
    {0x220F, "\\prod"}, {0x2210, "\\coprod"}, {0x2211, "\\sum"}, {0x2212, "-"}, {0x2213, "\\mp"},
    {0x2214, "\\dotplus"}, {0x2215, "/"}, {0x2216, "\\setminus"}, {0x2217, "*"},
    {0x2218, "\\circ"}, {0x2219, "\\bullet"}, {0x221D, "\\propto"}, {0x221E, "\\infty"},
    {0x2220, "\\angle"}, {0x2221, "\\measuredangle"}, {0x2223, "\\mid"}, {0x2224, "\\nmid"},
    {0x2225, "\\|"}, {0x2226, "\\nparallel"}, {0x2227, "\\wedge"}, {0x2228, "\\vee"},
    {0x2229, "\\cap"}, {0x222A, "\\cup"}, {0x222B, "\\int"}, {0x222C, "\\iint"},
    {0x222D, "\\iiint"}, {0x222E, "\\oint"}, {0x222F, "\\oiint"}, {0x2234, "\\therefore"},
    {0x2235, "\\because"}, {0x223C, "\\sim"},
    {0x2240, "\\wr"}, {0x2241, "\\nsim"}, {0x2242, "\\eqsim"}, {0x2243, "\\simeq"},
    {0x2244, "\\not\\simeq"}, {0x2245, "\\cong"}, {0x2247, "\\ncong"}, {0x2248, "\\approx"},
    {0x2249, "\\not\\approx"}, {0x224A, "\\approxeq"}, {0x224D, "\\asymp"}, {0x224E, "\\Bumpeq"},
    {0x224F, "\\bumpeq"}, {0x2250, "\\doteq"}, {0x2251, "\\doteqdot"},
    {0x2252, "\\fallingdotseq"}, {0x2253, "\\risingdotseq"}, {0x2254, ":="}, {0x2256, "\\eqcirc"},
    {0x225C, "\\triangleq"}, {0x2260, "\\neq"}, {0x2261, "\\equiv"}, {0x2262, "\\not\\equiv"},
    {0x2264, "\\leq"}, {0x2265, "\\geq"}, {0x2266, "\\leqq"}, {0x2267, "\\geqq"},
    {0x2268, "\\lneqq"}, {0x2269, "\\gneqq"}, {0x226A, "\\ll"}, {0x226B, "\\gg"},
    {0x226E, "\\nless"}, {0x226F, "\\ngtr"}, {0x2270, "\\nleq"}, {0x2271, "\\ngeq"},
    {0x2272, "\\lesssim"}, {0x2273, "\\gtrsim"}, {0x2276, "\\lessgtr"}, {0x2277, "\\gtrless"},
    {0x227A, "\\prec"}, {0x227B, "\\succ"}, {0x227C, "\\preccurlyeq"}, {0x227D, "\\succcurlyeq"},
    {0x227E, "\\precsim"}, {0x227F, "\\succsim"}, {0x2280, "\\nprec"}, {0x2281, "\\nsucc"},
    {0x2282, "\\subset"}, {0x2283, "\\supset"}, {0x2284, "\\not\\subset"}, {0x2286, "\\subseteq"},
    {0x2287, "\\supseteq"}, {0x2288, "\\nsubseteq"}, {0x2289, "\\nsupseteq"},
    {0x228A, "\\subsetneq"}, {0x228B, "\\supsetneq"}, {0x228E, "\\uplus"}, {0x228F, "\\sqsubset"},
    {0x2290, "\\sqsupset"}, {0x2291, "\\sqsubseteq"}, {0x2292, "\\sqsupseteq"},
    {0x2293, "\\sqcap"}, {0x2294, "\\sqcup"}, {0x2295, "\\oplus"}, {0x2296, "\\ominus"},
    {0x2297, "\\otimes"}, {0x2298, "\\oslash"}, {0x2299, "\\odot"}, {0x229A, "\\circledcirc"},
    {0x229B, "\\circledast"}, {0x229D, "\\circleddash"}, {0x229E, "\\boxplus"},
    {0x229F, "\\boxminus"}, {0x22A0, "\\boxtimes"}, {0x22A1, "\\boxdot"}, {0x22A2, "\\vdash"},
    {0x22A3, "\\dashv"}, {0x22A4, "\\top"}, {0x22A5, "\\perp"}, {0x22A8, "\\vDash"},
    {0x22A9, "\\Vdash"}, {0x22AA, "\\Vvdash"}, {0x22AC, "\\nvdash"}, {0x22AD, "\\nvDash"},
    {0x22B4, "\\trianglelefteq"}, {0x22B5, "\\trianglerighteq"}, {0x22B8, "\\multimap"}, {0x22BA, "\\intercal"},
    {0x22BB, "\\veebar"}, {0x22BC, "\\barwedge"}, {0x22C0, "\\bigwedge"}, {0x22C1, "\\bigvee"},
    {0x22C2, "\\bigcap"}, {0x22C3, "\\bigcup"}, {0x22C4, "\\diamond"}, {0x22C5, "\\cdot"},
    {0x22C6, "\\star"}, {0x22C9, "\\ltimes"}, {0x22CA, "\\rtimes"}, {0x22D0, "\\Subset"},
    {0x22D1, "\\Supset"}, {0x22D2, "\\Cap"}, {0x22D3, "\\Cup"}, {0x22D4, "\\pitchfork"},
    {0x22D6, "\\lessdot"}, {0x22D7, "\\gtrdot"}, {0x22D8, "\\lll"}, {0x22D9, "\\ggg"},
    {0x22DA, "\\lesseqgtr"}, {0x22DB, "\\gtreqless"}, {0x22E8, "\\precnsim"},
    {0x22E9, "\\succnsim"}, {0x22EE, "\\vdots"}, {0x22EF, "\\cdots"}, {0x22F1, "\\ddots"},
    {0x2308, "\\lceil"}, {0x2309, "\\rceil"}, {0x230A, "\\lfloor"}, {0x230B, "\\rfloor"},
    {0x2322, "\\frown"}, {0x2323, "\\smile"}, {0x25A0, "\\blacksquare"}, {0x25A1, "\\square"},
    {0x25B2, "\\blacktriangle"}, {0x25B3, "\\triangle"}, {0x25B6, "\\blacktriangleright"},
    {0x25B7, "\\triangleright"}, {0x25BC, "\\blacktriangledown"}, {0x25BD, "\\bigtriangledown"},
    {0x25C0, "\\blacktriangleleft"}, {0x25C1, "\\triangleleft"}, {0x25E6, "\\circ"},
    {0x25EF, "\\bigcirc"}, {0x2605, "\\star"}, {0x2660, "\\spadesuit"}, {0x2661, "\\heartsuit"},
    {0x2662, "\\diamondsuit"}, {0x2663, "\\clubsuit"}, {0x266D, "\\flat"}, {0x266E, "\\natural"},
    {0x266F, "\\sharp"}, {0x2713, "\\checkmark"}, {0x2720, "\\maltese"}, {0x27E8, "\\langle"},
    {0x27E9, "\\rangle"}, {0x27F6, "\\longrightarrow"}, {0x27F9, "\\Longrightarrow"}, {0x29F5, "\\setminus"},
    {0x2A00, "\\bigodot"}, {0x2A01, "\\bigoplus"}, {0x2A02, "\\bigotimes"},
    {0x2A04, "\\biguplus"}, {0x2A06, "\\bigsqcup"}, {0x2A0C, "\\iiiint"}, {0x2A3F, "\\amalg"}, {0x2A7D, "\\leqslant"},
    {0x2A7E, "\\geqslant"}, {0x2A85, "\\lessapprox"}, {0x2A86, "\\gtrapprox"},
    {0x2AAF, "\\preceq"}, {0x2AB0, "\\succeq"}, {0x2AB7, "\\precapprox"},
    {0x2AB8, "\\succapprox"},
});
// clang-format on

}  // namespace

const char* latex_sign(uint32_t c) {
  const auto at =
      std::lower_bound(kSigns.begin(), kSigns.end(), c,
                       [](const auto& sign, uint32_t code) { return sign.first < code; });
  return at != kSigns.end() && at->first == c ? at->second : nullptr;
}

}  // namespace docspec
