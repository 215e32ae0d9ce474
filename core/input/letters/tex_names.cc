#include "core/input/letters/tex_names.h"

#include <algorithm>
#include <iterator>
#include <span>

#include "core/input/letters/tex_fonts.h"

namespace docspec {
namespace {

/// Names of codes in a row, from `first` on, with a blank between them.
struct NameRun {
  unsigned first;
  std::string_view names;
};

/// As Computer Modern's and the AMS's fonts name them. Letters are their own names.
constexpr NameRun kItalicNames[] = {
    {0x00,
     "Gamma Delta Theta Lambda Xi Pi Sigma Upsilon Phi Psi Omega alpha beta gamma "
     "delta epsilon1 zeta eta theta iota kappa lambda mu nu xi pi rho sigma tau "
     "upsilon phi chi psi omega epsilon theta1 pi1 rho1 sigma1 phi1 arrowlefttophalf "
     "arrowleftbothalf arrowrighttophalf arrowrightbothalf arrowhookleft "
     "arrowhookright triangleright triangleleft zerooldstyle oneoldstyle twooldstyle "
     "threeoldstyle fouroldstyle fiveoldstyle sixoldstyle sevenoldstyle "
     "eightoldstyle nineoldstyle period comma less slash greater star partialdiff"},
    {0x5B, "flat natural sharp slurbelow slurabove lscript"},
    {0x7B, "dotlessi dotlessj weierstrass vector tie"},
};

constexpr NameRun kSymbolNames[] = {
    {0x00,
     "minus periodcentered multiply asteriskmath divide diamondmath plusminus "
     "minusplus circleplus circleminus circlemultiply circledivide circledot "
     "circlecopyrt openbullet bullet equivasymptotic equivalence reflexsubset "
     "reflexsuperset lessequal greaterequal precedesequal followsequal similar "
     "approxequal propersubset propersuperset lessmuch greatermuch precedes follows "
     "arrowleft arrowright arrowup arrowdown arrowboth arrownortheast arrowsoutheast "
     "similarequal arrowdblleft arrowdblright arrowdblup arrowdbldown arrowdblboth "
     "arrownorthwest arrowsouthwest proportional prime infinity element owner "
     "triangle triangleinv negationslash mapsto universal existential logicalnot "
     "emptyset Rfractur Ifractur latticetop perpendicular aleph"},
    {0x5B,
     "union intersection unionmulti logicaland logicalor turnstileleft "
     "turnstileright floorleft floorright ceilingleft ceilingright braceleft "
     "braceright angbracketleft angbracketright bar bardbl arrowbothv arrowdblbothv "
     "backslash wreathproduct radical coproduct nabla integral unionsq "
     "intersectionsq subsetsqequal supersetsqequal section dagger daggerdbl "
     "paragraph club diamond heart spade"},
};

constexpr NameRun kLargeNames[] = {
    {0x00,
     "parenleftbig parenrightbig bracketleftbig bracketrightbig floorleftbig "
     "floorrightbig ceilingleftbig ceilingrightbig braceleftbig bracerightbig "
     "angbracketleftbig angbracketrightbig vextendsingle vextenddouble slashbig "
     "backslashbig parenleftBig parenrightBig parenleftbigg parenrightbigg "
     "bracketleftbigg bracketrightbigg floorleftbigg floorrightbigg ceilingleftbigg "
     "ceilingrightbigg braceleftbigg bracerightbigg angbracketleftbigg "
     "angbracketrightbigg slashbigg backslashbigg parenleftBigg parenrightBigg "
     "bracketleftBigg bracketrightBigg floorleftBigg floorrightBigg ceilingleftBigg "
     "ceilingrightBigg braceleftBigg bracerightBigg angbracketleftBigg "
     "angbracketrightBigg slashBigg backslashBigg slashBig backslashBig parenlefttp "
     "parenrighttp bracketlefttp bracketrighttp bracketleftbt bracketrightbt "
     "bracketleftex bracketrightex bracelefttp bracerighttp braceleftbt bracerightbt "
     "braceleftmid bracerightmid braceex arrowvertex parenleftbt parenrightbt "
     "parenleftex parenrightex angbracketleftBig angbracketrightBig unionsqtext "
     "unionsqdisplay contintegraltext contintegraldisplay circledottext "
     "circledotdisplay circleplustext circleplusdisplay circlemultiplytext "
     "circlemultiplydisplay summationtext producttext integraltext uniontext "
     "intersectiontext unionmultitext logicalandtext logicalortext summationdisplay "
     "productdisplay integraldisplay uniondisplay intersectiondisplay "
     "unionmultidisplay logicalanddisplay logicalordisplay coproducttext "
     "coproductdisplay hatwide hatwider hatwidest tildewide tildewider tildewidest "
     "bracketleftBig bracketrightBig floorleftBig floorrightBig ceilingleftBig "
     "ceilingrightBig braceleftBig bracerightBig radicalbig radicalBig radicalbigg "
     "radicalBigg radicalbt radicalvertex radicaltp arrowvertexdbl arrowtp arrowbt "
     "bracehtipdownleft bracehtipdownright bracehtipupleft bracehtipupright "
     "arrowdbltp arrowdblbt"},
};

constexpr NameRun kAmsANames[] = {
    {0x00,
     "squaredot squareplus squaremultiply square squaresolid squaresmallsolid "
     "diamond diamondsolid clockwise anticlockwise harpoonleftright harpoonrightleft "
     "squareminus forces forcesbar satisfies dblarrowheadright dblarrowheadleft "
     "dblarrowleft dblarrowright dblarrowup dblarrowdwn harpoonupright "
     "harpoondownright harpoonupleft harpoondownleft arrowtailright arrowtailleft "
     "arrowparrleftright arrowparrrightleft shiftleft shiftright squiggleright "
     "squiggleleftright curlyleft curlyright circleequal followsorequal "
     "greaterorsimilar greaterorapproxeql multimap therefore because equalsdots "
     "defines precedesorequal lessorsimilar lessorapproxeql equalorless "
     "equalorgreater equalorprecedes equalorfollows precedesorcurly lessdblequal "
     "lessorequalslant lessorgreater primereverse axisshort equaldotrightleft "
     "equaldotleftright followsorcurly greaterdblequal greaterorequalslant "
     "greaterorless squareimage squareoriginal triangleright triangleleft "
     "trianglerightequal triangleleftequal star between triangledownsld "
     "trianglerightsld triangleleftsld arrowaxisright arrowaxisleft triangle "
     "trianglesolid triangleinv ringinequal lessequalgreater greaterlessequal "
     "lessdbleqlgreater greaterdbleqlless Yen arrowtripleright arrowtripleleft check "
     "orunderscore nand perpcorrespond angle measuredangle sphericalangle "
     "proportional smile frown subsetdbl supersetdbl uniondbl intersectiondbl uprise "
     "downfall multiopenleft multiopenright subsetdblequal supersetdblequal "
     "difference geomequivalent muchless muchgreater rightanglenw rightanglene "
     "circleR circleS fork dotplus revsimilar revasymptequal rightanglesw "
     "rightanglese maltesecross complement intercal circlering circleasterisk "
     "circleminus"},
};

constexpr NameRun kAmsBNames[] = {
    {0x00,
     "lessornotequal greaterornotequal notlessequal notgreaterequal notless "
     "notgreater notprecedes notfollows lessornotdbleql greaterornotdbleql "
     "notlessorslnteql notgreaterorslnteql lessnotequal greaternotequal "
     "notprecedesoreql notfollowsoreql precedeornoteqvlnt followornoteqvlnt "
     "lessornotsimilar greaterornotsimilar notlessdblequal notgreaterdblequal "
     "precedenotslnteql follownotslnteql precedenotdbleqv follownotdbleqv "
     "lessnotdblequal greaternotdblequal notsimilar notapproxequal upslope downslope "
     "notsubsetoreql notsupersetoreql notsubsetordbleql notsupersetordbleql "
     "subsetornotdbleql supersetornotdbleql subsetornoteql supersetornoteql "
     "subsetnoteql supersetnoteql notsubseteql notsuperseteql notparallel notbar "
     "notshortbar notshortparallel notturnstile notforces notsatisfies "
     "notforcesextra nottriangeqlright nottriangeqlleft nottriangleleft "
     "nottriangleright notarrowleft notarrowright notdblarrowleft notdblarrowright "
     "notdblarrowboth notarrowboth dividemultiply emptyset notexistential"},
    {0x5B, "hatwide hatwider tildewide tildewider"},
    {0x60, "Finv Gmir"},
    {0x66,
     "Omegainv eth equalorsimilar beth gimel daleth lessdot greaterdot "
     "multicloseleft multicloseright barshort parallelshort integerdivide similar "
     "approxequal approxorequal followsorequal precedesorequal archleftdown "
     "archrightdown Digamma kappa"},
    {0x7D, "planckover2pi planckover2pi1 epsiloninv"},
};

constexpr NameRun kRomanNames[] = {
    {0x00,
     "Gamma Delta Theta Lambda Xi Pi Sigma Upsilon Phi Psi Omega ff fi fl ffi ffl "
     "dotlessi dotlessj grave acute caron breve macron ring cedilla germandbls ae oe "
     "oslash AE OE Oslash suppress"},
    {0x22, "quotedblright"},
    {0x27, "quoteright"},
    {0x3C, "exclamdown"},
    {0x3E, "questiondown"},
    {0x5C, "quotedblleft"},
    {0x5E, "circumflex dotaccent quoteleft"},
    {0x7B, "endash emdash hungarumlaut tilde dieresis"},
};

constexpr NameRun kAsciiNames[] = {
    {0x20,
     "space exclam quotedbl numbersign dollar percent ampersand quotesingle "
     "parenleft parenright asterisk plus comma hyphen period slash zero one two "
     "three four five six seven eight nine colon semicolon less equal greater "
     "question at"},
    {0x5B, "bracketleft backslash bracketright asciicircum underscore grave"},
    {0x7B, "braceleft bar braceright asciitilde"},
};

/// Of Windows' and the Mac's encodings, what TeX's fonts have too.
struct BaseName {
  std::string_view name;
  unsigned windows, mac;  // 0 = not there
};
constexpr BaseName kBaseNames[] = {
    {"bullet", 0x95, 0xA5},
    {"dagger", 0x86, 0xA0},
    {"daggerdbl", 0x87, 0xE0},
    {"section", 0xA7, 0xA4},
    {"paragraph", 0xB6, 0xA6},
    {"plusminus", 0xB1, 0xB1},
    {"multiply", 0xD7, 0},
    {"divide", 0xF7, 0xD6},
    {"periodcentered", 0xB7, 0xE1},
    {"logicalnot", 0xAC, 0xC2},
    {"mu", 0xB5, 0xB5},
    {"germandbls", 0xDF, 0xA7},
    {"ae", 0xE6, 0xBE},
    {"oe", 0x9C, 0xCF},
    {"oslash", 0xF8, 0xBF},
    {"AE", 0xC6, 0xAE},
    {"OE", 0x8C, 0xCE},
    {"Oslash", 0xD8, 0xAF},
    {"endash", 0x96, 0xD0},
    {"emdash", 0x97, 0xD1},
    {"quoteleft", 0x91, 0xD4},
    {"quoteright", 0x92, 0xD5},
    {"quotedblleft", 0x93, 0xD2},
    {"quotedblright", 0x94, 0xD3},
    {"exclamdown", 0xA1, 0xC1},
    {"questiondown", 0xBF, 0xC0},
    {"circumflex", 0x88, 0xF6},
    {"tilde", 0x98, 0xF7},
    {"dieresis", 0xA8, 0xAC},
    {"acute", 0xB4, 0xAB},
    {"macron", 0xAF, 0xF8},
    {"cedilla", 0xB8, 0xFC},
    {"dotlessi", 0, 0xF5},
    {"fi", 0, 0xDE},
    {"fl", 0, 0xDF},
};

constexpr std::string_view kLetters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/// The integrals of esint are named after the accents and quotes that other fonts have there.
constexpr NameRun kIntegralNames[] = {
    {0x00,
     "grave acute circumflex tilde dieresis hungarumlaut ring caron breve macron "
     "dotaccent cedilla ogonek quotesinglbase guilsinglleft guilsinglright "
     "quotedblleft quotedblright quotedblbase guillemotleft guillemotright endash "
     "emdash cwm perthousand dotlessi dotlessj ff fi fl ffi ffl"},
};

std::optional<unsigned> code_of(std::span<const NameRun> runs, std::string_view name) {
  for (const NameRun& run : runs) {
    unsigned code = run.first;
    for (std::string_view rest = run.names; !rest.empty(); ++code) {
      const size_t end = std::min(rest.find(' '), rest.size());
      if (rest.substr(0, end) == name) return code;
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
  }
  return std::nullopt;
}

std::string_view name_of(std::span<const NameRun> runs, unsigned code) {
  for (const NameRun& run : runs) {
    unsigned at = run.first;
    for (std::string_view rest = run.names; at <= code && !rest.empty(); ++at) {
      const size_t end = std::min(rest.find(' '), rest.size());
      if (at == code) return rest.substr(0, end);
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
  }
  return {};
}

std::span<const NameRun> names_of(TexEncoding encoding) {
  switch (encoding) {
    case TexEncoding::italic:
      return kItalicNames;
    case TexEncoding::symbols:
      return kSymbolNames;
    case TexEncoding::large:
      return kLargeNames;
    case TexEncoding::integrals:
      return kIntegralNames;
    case TexEncoding::ams_a:
      return kAmsANames;
    case TexEncoding::ams_b:
      return kAmsBNames;
    case TexEncoding::roman:
      return kRomanNames;
    default:
      return {};
  }
}

}  // namespace

std::optional<unsigned> tex_code(std::string_view font, std::string_view name) {
  const TexEncoding encoding = tex_encoding(font);
  if (encoding == TexEncoding::none) return std::nullopt;
  if (name.size() == 1 && kLetters.find(name[0]) != kLetters.npos) return name[0];
  if (const auto code = code_of(names_of(encoding), name)) return code;
  const auto code = code_of(kAsciiNames, name);
  const bool digit = code && *code >= '0' && *code <= '9';
  return digit || encoding == TexEncoding::roman ? code : std::nullopt;
}

std::string_view glyph_name(BaseEncoding encoding, unsigned code) {
  if (encoding == BaseEncoding::own) return {};
  if (code < 0x80) {
    const size_t letter = kLetters.find(char(code));
    return letter == kLetters.npos ? name_of(kAsciiNames, code) : kLetters.substr(letter, 1);
  }
  const auto at = std::find_if(std::begin(kBaseNames), std::end(kBaseNames), [&](auto& base) {
    return (encoding == BaseEncoding::mac ? base.mac : base.windows) == code;
  });
  return at == std::end(kBaseNames) ? std::string_view() : at->name;
}

}  // namespace docspec
