#include "report/page/page_templates.h"

namespace stepgate {

// The colours of text have a contrast of at least 4.5 to their background, those of shapes at least 3 (WCAG 2.2, 1.4.3
// and 1.4.11), in both schemes. tests/report/page/page_files_test.py computes them from this text.
const std::string_view page_style = R"(
:root { color-scheme: light dark;
  --back: #ffffff; --panel: #f6f8fa; --text: #1f2328; --soft: #57606a; --edge: #d0d7de; --link: #0550ae;
  --good: #116329; --bad: #b3261e; --unsure: #7d4e00;
  --axis: #57606a; --band: #eaeef2; --dot: #0072b2; --past: #6e7781;
  --s0: #0072b2; --s1: #c44e00; --s2: #00805c; --s3: #aa4499; --s4: #8a6d00; --s5: #57606a; }
@media (prefers-color-scheme: dark) { :root {
  --back: #0d1117; --panel: #161b22; --text: #e6edf3; --soft: #9198a1; --edge: #3d444d; --link: #79b8ff;
  --good: #56d364; --bad: #ff8f87; --unsure: #e3b341;
  --axis: #9198a1; --band: #21262d; --dot: #56b4e9; --past: #8b949e;
  --s0: #56b4e9; --s1: #e69f00; --s2: #2fc79a; --s3: #e39bc9; --s4: #f0e442; --s5: #bbbbbb; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--back); color: var(--text); font: 16px/1.5 system-ui, "DejaVu Sans", sans-serif; }
header, main, footer { max-width: 84rem; margin: 0 auto; padding: 0 1rem; }
header { padding-top: 1rem; }
h1 { font-size: 1.35rem; line-height: 1.4; margin: 0 0 .5rem; }
h2 { font-size: 1.15rem; line-height: 1.4; margin: 0; overflow-wrap: anywhere; }
h3 { font-size: 1rem; margin: 0 0 .35rem; }
p { margin: .25rem 0; overflow-wrap: anywhere; }
a { color: var(--link); }
.skip { position: absolute; left: -100rem; }
.skip:focus { left: 1rem; top: .5rem; background: var(--back); padding: .25rem .5rem; }
.count { display: inline-block; margin: 0 1.1rem .25rem 0; overflow-wrap: anywhere; }
.lead { font-size: 1.35rem; line-height: 1.35; margin: .4rem 0; }
.next { font-size: 1.05rem; }
.facts { color: var(--soft); font-size: .9rem; margin: .6rem 0 1rem; }
.facts span { display: inline-block; margin-right: 1.1rem; overflow-wrap: anywhere; }
.good > h2 .word, .count.good, td .good, th .good { color: var(--good); }
.bad > h2 .word, .count.bad, td .bad, th .bad { color: var(--bad); font-weight: 600; }
.unsure > h2 .word, .count.unsure, td .unsure, th .unsure { color: var(--unsure); }
summary .good .word, summary .bad .word, summary .unsure .word { color: inherit; }
section { border: 1px solid var(--edge); border-left-width: 5px; border-radius: 6px; padding: .8rem 1rem; margin: 0 0 1rem; }
section.bad { border-left-color: var(--bad); }
section.unsure { border-left-color: var(--unsure); }
section.good { border-left-color: var(--good); }
.note { color: var(--soft); font-size: .9rem; font-weight: 400; }
.blocks { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 27rem), 1fr)); gap: 1rem 2rem; margin-top: .7rem; }
.block { min-width: 0; }
.wide { grid-column: 1 / -1; }
.figure, .scroll { overflow-x: auto; }
.scroll:focus-visible, .figure:focus-visible, a:focus-visible, summary:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
table { border-collapse: collapse; font-size: .92rem; min-width: 100%; }
caption { text-align: left; color: var(--soft); padding-bottom: .3rem; }
caption span { position: sticky; left: 0; display: inline-block; max-width: min(80rem, 100vw - 4.5rem); }
th, td { text-align: left; vertical-align: top; padding: .3rem .6rem .3rem 0; border-bottom: 1px solid var(--edge); }
th { font-weight: 600; }
tbody th { font-weight: 400; min-width: 6.5rem; max-width: 26rem; overflow-wrap: break-word; }
td { min-width: 4rem; max-width: 28rem; overflow-wrap: break-word; }
td .good, td .bad, td .unsure, th .good, th .bad, th .unsure { white-space: nowrap; }
td.long:last-child { min-width: 12rem; }
td a { display: inline-block; min-width: 11rem; max-width: 22rem; overflow-wrap: break-word; }
.number { text-align: right; font-variant-numeric: tabular-nums; }
td.number, .short, th.kind { white-space: nowrap; }
th.number { min-width: 4.5rem; }
ul { margin: 0; padding-left: 1.1rem; }
li { margin: .3rem 0; overflow-wrap: anywhere; }
.advice { color: var(--soft); }
pre { background: var(--panel); border: 1px solid var(--edge); border-radius: 4px; margin: .2rem 0 .5rem; padding: .5rem .7rem;
  font: .88rem/1.45 ui-monospace, "DejaVu Sans Mono", monospace; white-space: pre-wrap; overflow-wrap: anywhere; }
.command { user-select: all; }
.does { margin: .3rem 0 0; color: var(--soft); }
.place { font-family: ui-monospace, "DejaVu Sans Mono", monospace; font-size: .92em; }
summary { cursor: pointer; }
summary h2 { display: inline; }
.swatch { display: inline-block; width: .8rem; height: .8rem; margin-right: .1rem; border-radius: 2px; }
footer { color: var(--soft); font-size: .9rem; padding-bottom: 2rem; }
svg { display: block; max-width: 100%; height: auto; }
td svg { min-width: 140px; }
svg text { fill: var(--text); font: 12px system-ui, "DejaVu Sans", sans-serif; }
svg .page { fill: none; }
svg .title { font-size: 15px; font-weight: 600; }
svg .tick, svg .label { fill: var(--soft); }
svg .best { font-weight: 600; }
svg .middle { text-anchor: middle; }
svg .end { text-anchor: end; }
svg .axis { stroke: var(--axis); stroke-width: 1; }
svg .grid { stroke: var(--edge); stroke-width: 1; }
svg .ignored { fill: var(--band); stroke: var(--axis); stroke-width: .7; }
svg .matter { stroke: var(--axis); stroke-width: 1.5; stroke-dasharray: 4 3; }
svg .knee { stroke: var(--axis); stroke-dasharray: 3 3; }
svg .beyond { fill: var(--band); }
svg .halo { stroke: var(--back); stroke-width: 4; stroke-linejoin: round; paint-order: stroke; }
svg .ring, svg .past { fill: none; stroke: var(--past); stroke-width: 1.5; }
svg .ring { stroke: var(--text); }
svg .dot { fill: var(--dot); stroke: var(--back); stroke-width: .7; }
svg .bar { stroke-width: 1.4; }
svg .curve { fill: none; stroke-width: 1.8; }
svg .span { stroke-width: 3; stroke: var(--soft); }
svg .span.bad, svg .span.unsure, svg .span.good { fill: none; }
svg .point { fill: var(--soft); }
svg .span.good { stroke: var(--good); } svg .point.good { fill: var(--good); }
svg .span.bad { stroke: var(--bad); } svg .point.bad { fill: var(--bad); }
svg .span.unsure { stroke: var(--unsure); } svg .point.unsure { fill: var(--unsure); }
svg .part { stroke: var(--back); stroke-width: 1.5; }
svg .s0 { stroke: var(--s0); } svg .s0 .mark, svg .part.s0 { fill: var(--s0); }
svg .s1 { stroke: var(--s1); } svg .s1 .mark, svg .part.s1 { fill: var(--s1); }
svg .s2 { stroke: var(--s2); } svg .s2 .mark, svg .part.s2 { fill: var(--s2); }
svg .s3 { stroke: var(--s3); } svg .s3 .mark, svg .part.s3 { fill: var(--s3); }
svg .s4 { stroke: var(--s4); } svg .s4 .mark, svg .part.s4 { fill: var(--s4); }
svg .s5 { stroke: var(--s5); } svg .s5 .mark, svg .part.s5 { fill: var(--s5); }
svg .part { stroke: var(--back); }
.swatch.s0 { background: var(--s0); } .swatch.s1 { background: var(--s1); } .swatch.s2 { background: var(--s2); }
.swatch.s3 { background: var(--s3); } .swatch.s4 { background: var(--s4); } .swatch.s5 { background: var(--s5); }
@media (max-width: 40rem) { h1 { font-size: 1.15rem; } .lead { font-size: 1.15rem; } header, main, footer { padding: 0 .6rem; }
  header { padding-top: .6rem; } section { padding: .6rem .7rem; } .wide table { width: max-content; } .large svg { min-width: 40rem; } }
@media (forced-colors: active) { svg, .swatch { forced-color-adjust: none; } svg { background: var(--back); } }
@media print { html { font-size: 62.5%; } .skip { display: none; } body { font-size: 1rem; } tr, pre, .figure { break-inside: avoid; }
  .figure, .scroll { overflow: visible; } td, th, td.long:last-child, td a { min-width: 0; overflow-wrap: anywhere; }
  td.number, .short { white-space: normal; } .short { overflow-wrap: break-word; }
  td svg { min-width: 0; width: 90px; } pre { border-color: #999; } h2, h3 { break-after: avoid; } }
)";

const std::string_view page_style_digest = "4dLFgfNrBSb8C3UNgdUpziDLJzde38eAaeY7zA7AhN8=";

}  // namespace stepgate
