#include "core/markup/formats/viewer_page.h"

namespace docspec {
namespace {

// Sections that are out of sight are neither laid out nor drawn (content-visibility).
constexpr std::string_view kStyle = R"(<style>
:root { color-scheme: light dark; --line: #d8d8d4; --ink: #1d1d1b; --soft: #5f5f5a; --ground: #f1f1ee;
  --sheet: #fff; --on: #fff2b8; --pin: #ffe08a; --found: #b9e3c6; --link: #0a58ca; --code: #f6f6f4; --bad: #a63d00; }
@media (prefers-color-scheme: dark) { :root { --line: #3a3d42; --ink: #e4e4e0; --soft: #a3a6ab; --ground: #15171a;
  --sheet: #1f2226; --on: #4a431d; --pin: #6f5b0c; --found: #245c38; --link: #8ab4ff; --code: #282b30; --bad: #ffa26b; }
  .paper img { filter: brightness(.86); } }
* { box-sizing: border-box; }
html { scroll-padding-top: 4.2em; }
body { margin: 0; font: 16px/1.5 Georgia, 'Liberation Serif', serif; color: var(--ink); background: var(--ground); }
.skip { position: absolute; left: -99em; }
.skip:focus { left: 1em; top: .6em; z-index: 3; background: var(--sheet); padding: .3em .8em; }
header.top { position: sticky; top: 0; z-index: 2; display: flex; flex-wrap: wrap; gap: .3em 1em; align-items: center;
  min-height: 3.6em; padding: .5em 1.2em; background: var(--sheet); border-bottom: 1px solid var(--line); }
header.top, nav { font: 15px/1.4 system-ui, sans-serif; }
header.top b { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; max-width: 36em; }
.soft, .note, .furniture { color: var(--soft); font-size: .88em; }
.search { margin-left: auto; display: flex; gap: .6em; align-items: center; }
input, button { font: inherit; color: inherit; background: var(--ground); border: 1px solid var(--line);
  border-radius: 5px; padding: .25em .6em; }
#menu, #found:empty { display: none; }
details { position: relative; }
summary { cursor: pointer; }
details dl { position: absolute; right: 0; width: 19em; margin: .6em 0; padding: .8em 1em; background: var(--sheet);
  border: 1px solid var(--line); display: grid; grid-template-columns: auto 1fr; gap: .2em .8em; }
dd { margin: 0; }
:focus-visible { outline: 2px solid var(--link); outline-offset: 1px; }
section:focus, main:focus { outline: none; }
.columns { display: grid; grid-template-columns: 15em minmax(0, 1fr); }
nav { position: sticky; top: 3.6em; height: calc(100vh - 3.6em); overflow-y: auto; border-right: 1px solid var(--line); }
nav ol { list-style: none; margin: 0; padding: .5em 0; }
nav a { display: flex; gap: .6em; padding: .25em 1em; color: inherit; text-decoration: none; }
nav a b { min-width: 1.6em; text-align: right; color: var(--soft); font-weight: normal; }
nav a span { flex: 1; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
nav a i { font-style: normal; color: var(--bad); }
nav a:hover, nav a[aria-current] { background: var(--on); }
section { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); gap: 1.4em; padding: 1.2em;
  border-bottom: 1px solid var(--line); align-items: start; content-visibility: auto; contain-intrinsic-size: auto 60em; }
.paper { position: sticky; top: 4.6em; aspect-ratio: var(--w) / var(--h); margin: 0 auto; background: #fff;
  width: min(100%, calc((100vh - 5.6em) * var(--w) / var(--h))); box-shadow: 0 1px 5px #0004; }
.paper img, .paper svg { position: absolute; inset: 0; width: 100%; height: 100%; display: block; }
.text { background: var(--sheet); padding: .8em 1.5em; box-shadow: 0 1px 5px #0002; overflow-wrap: anywhere; }
rect { fill: transparent; stroke: #0a58ca; stroke-opacity: .35; vector-effect: non-scaling-stroke; cursor: pointer; }
rect.on { fill: #ffd400; fill-opacity: .28; stroke-opacity: 1; }
rect.pin { fill: #ffb700; fill-opacity: .38; stroke-opacity: 1; stroke-width: 2; }
.text [data-block] { cursor: pointer; border-radius: 3px; }
.on:not(rect) { background: var(--on); box-shadow: 0 0 0 3px var(--on); }
.pin:not(rect) { background: var(--pin); box-shadow: 0 0 0 3px var(--pin); }
::highlight(found) { background: var(--found); }
::highlight(here) { background: var(--link); color: var(--sheet); }
h1, h2, h3, h4, h5, h6 { line-height: 1.25; margin: .9em 0 .4em; font-family: system-ui, sans-serif; }
p, pre, table, figure, ul { margin: .6em 0; }
.text > :first-child { margin-top: .4em; }
pre { font: 13px/1.4 monospace; background: var(--code); padding: .7em; overflow-x: auto; white-space: pre-wrap; }
.table { overflow-x: auto; width: fit-content; max-width: 100%; }
table { border-collapse: collapse; font-size: .9em; overflow-wrap: normal; }
td, th { border: 1px solid var(--line); padding: .2em .5em; vertical-align: top; }
figure svg { max-width: 100%; max-height: 24em; border: 1px solid var(--line); background: #fff; }
.caption, .footnote { font-size: .88em; }
@media (max-width: 1000px) { .columns { display: block; } #menu { display: inline-block; }
  nav { display: none; position: fixed; z-index: 2; top: 3.6em; left: 0; width: min(20em, 85vw); background: var(--sheet); }
  .menu nav { display: block; } }
@media (max-width: 700px) { section { grid-template-columns: minmax(0, 1fr); padding: .8em; }
  header.top { gap: .3em .6em; padding: .5em .8em; } header.top > .soft, .keys { display: none; } header.top b { flex: 1; }
  .search { margin: 0; width: 100%; } .search input { flex: 1; min-width: 0; }
  html { scroll-padding-top: 6.6em; } nav { top: 6em; height: calc(100vh - 6em); }
  .paper { position: relative; top: 0; width: 100%; } .text { padding: .5em 1em; } }
</style>
)";

constexpr std::string_view kScript = R"(<script>
const all = (selector, from = document) => [...from.querySelectorAll(selector)];
const one = id => document.getElementById(id);
const partners = id => all(`[data-block="${CSS.escape(id)}"]`);
const blockOf = target => target.closest ? target.closest('[data-block]') : null;
const show = (name, id) => { all('.' + name).forEach(e => e.classList.remove(name));
  if (id) partners(id).forEach(e => e.classList.add(name)); };

// Hovering and focus mark a block and its box; a click marks them until the next click or Escape.
document.addEventListener('mouseover', e => show('on', blockOf(e.target)?.dataset.block));
document.addEventListener('focusin', e => show('on', blockOf(e.target)?.dataset.block));
let pinned = null;
const pin = (id, from) => { show('pin', id); pinned = id;
  history.replaceState(null, '', id ? '#b' + id : location.pathname + location.search);
  if (id) partners(id).forEach(e => { if (e !== from) e.scrollIntoView({ block: 'nearest' }); }); };
document.addEventListener('click', e => { const block = blockOf(e.target);
  if (block) pin(block.dataset.block === pinned ? null : block.dataset.block, block);
  if (!e.target.closest('#menu, nav')) menu(false); });

const menu = open => { document.body.classList.toggle('menu', open); one('menu').setAttribute('aria-expanded', open); };
one('menu').addEventListener('click', () => menu(!document.body.classList.contains('menu')));
one('list').addEventListener('click', e => { if (e.target.closest('a')) menu(false); });

// The list follows the page that is in sight.
const sections = all('section'), entries = all('#list li');
let page = 0;
const current = index => { page = index;
  entries.forEach((e, i) => i === index ? e.firstChild.setAttribute('aria-current', 'true') : e.firstChild.removeAttribute('aria-current'));
  const list = one('list'), entry = entries[index];
  if (list.offsetParent && (entry.offsetTop < list.scrollTop || entry.offsetTop > list.scrollTop + list.clientHeight - 60))
    list.scrollTop = entry.offsetTop - list.clientHeight / 2; };
const watch = new IntersectionObserver(seen => seen.forEach(e => { if (e.isIntersecting) current(sections.indexOf(e.target)); }),
  { rootMargin: '-30% 0px -60% 0px' });
sections.forEach(section => watch.observe(section));

// A page's image, and what is cut of it, is loaded when the page comes near: browsers load images of
// data: addresses at once, also with loading="lazy".
const load = section => all('img', section).forEach(image => { image.src = image.dataset.src;
  all('.text image', section).forEach(cut => cut.setAttribute('href', image.src)); });
const near = new IntersectionObserver(seen => seen.forEach(e => { if (e.isIntersecting) { near.unobserve(e.target); load(e.target); } }),
  { rootMargin: '100% 0px' });
sections.forEach(section => near.observe(section));
addEventListener('beforeprint', () => sections.forEach(load));

// Search: pages without the words leave the list; Enter goes from one place to the next.
let found = [], at = -1;
const light = (name, ranges) => { if (window.Highlight) CSS.highlights.set(name, new Highlight(...ranges)); };
const search = () => { const word = one('search').value.trim().toLowerCase(); found = []; at = -1; let pages = 0;
  sections.forEach((section, i) => { let here = 0;
    if (word) { const walk = document.createTreeWalker(section.lastElementChild, NodeFilter.SHOW_TEXT);
      while (walk.nextNode()) { const text = walk.currentNode.data.toLowerCase();
        for (let k = text.indexOf(word); k >= 0; k = text.indexOf(word, k + word.length)) { ++here;
          if (found.length < 5000 && text.length === walk.currentNode.data.length) { const range = new Range();
            range.setStart(walk.currentNode, k); range.setEnd(walk.currentNode, k + word.length); found.push(range); } } } }
    pages += here > 0; entries[i].hidden = word && !here; });
  one('found').textContent = word ? (found.length ? `${found.length} on ${pages} page${pages > 1 ? 's' : ''}` : 'not found') : '';
  light('found', found); light('here', []); };
const next = step => { if (!found.length) return; at = (at + step + found.length) % found.length; light('here', [found[at]]);
  one('found').textContent = `${at + 1} of ${found.length}`;
  found[at].startContainer.parentElement.scrollIntoView({ block: 'center' }); };
one('search').addEventListener('input', search);

const go = step => { const to = Math.max(0, Math.min(sections.length - 1, page + step));
  sections[to].scrollIntoView(); current(to); (sections[to].querySelector('.text [data-block]') || sections[to]).focus({ preventScroll: true }); };
const walk = step => { const blocks = all('.text [data-block]'), i = blocks.indexOf(document.activeElement);
  const to = i >= 0 ? blocks[i + step] : sections[page].querySelector('.text [data-block]');
  if (to) { to.focus({ preventScroll: true }); partners(to.dataset.block).forEach(e => e.scrollIntoView({ block: 'nearest' })); } };
document.addEventListener('keydown', e => { if (e.ctrlKey || e.altKey || e.metaKey) return;
  if (e.target === one('search')) { if (e.key === 'Enter') next(e.shiftKey ? -1 : 1);
    if (e.key === 'Escape') { one('search').value = ''; search(); one('search').blur(); } return; }
  const block = document.activeElement && document.activeElement.dataset.block;
  const keys = { '/': () => one('search').focus(), Escape: () => { pin(null); menu(false); }, ArrowRight: () => go(1), ArrowLeft: () => go(-1),
    j: () => walk(1), k: () => walk(-1), ArrowDown: block && (() => walk(1)), ArrowUp: block && (() => walk(-1)),
    Enter: block && (() => document.activeElement.dispatchEvent(new MouseEvent('click', { bubbles: true }))) };
  if (keys[e.key]) { e.preventDefault(); keys[e.key](); } });

const open = location.hash.startsWith('#b') && location.hash.slice(2);
if (open) { show('pin', pinned = open); partners(open).forEach(e => e.scrollIntoView({ block: 'center' })); }
</script>
)";

}  // namespace

std::string_view viewer_style() {
  return kStyle;
}
std::string_view viewer_script() {
  return kScript;
}

}  // namespace docspec
