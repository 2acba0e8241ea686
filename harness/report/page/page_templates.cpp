#include "report/page/page_templates.h"

namespace stepgate {

const std::string_view page_template = R"(<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'sha256-{{{digest}}}'; base-uri 'none'; form-action 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>{{title}}</title>
<style>{{{style}}}</style>
</head>
<body>
<a class="skip" href="#contents">Skip to the contents</a>
<header>
<h1>{{#counts}}<span class="count {{{tone}}}"><span aria-hidden="true">{{sign}}</span> {{text}}</span> {{/counts}}</h1>
{{#sentences}}
<p class="{{{size}}}">{{#label}}<b>{{label}}</b> {{/label}}{{text}}{{{places}}}{{#advice}} <span class="advice">{{advice}}</span>{{/advice}}</p>
{{/sentences}}
<p class="facts">{{#facts}}<span>{{text}}</span> {{/facts}}</p>
</header>
<main id="contents">
{{{sections}}}
</main>
<footer>
{{#footer}}
<p>{{text}}</p>
{{/footer}}
</footer>
</body>
</html>
)";

const std::string_view section_template = R"({{#open}}
<section id="{{{id}}}" aria-labelledby="{{{id}}}-h" class="{{{tone}}}">
<h2 id="{{{id}}}-h"><span class="word">{{#signed}}<span aria-hidden="true">{{sign}}</span> {{/signed}}{{text}}</span>{{#note}} <span class="note">{{note}}</span>{{/note}}</h2>
<div class="blocks">
{{{blocks}}}
</div>
</section>
{{/open}}
{{^open}}
<section id="{{{id}}}" aria-labelledby="{{{id}}}-h" class="{{{tone}}}">
<details>
<summary><h2 id="{{{id}}}-h"><span class="word">{{#signed}}<span aria-hidden="true">{{sign}}</span> {{/signed}}{{text}}</span>{{#note}} <span class="note">{{note}}</span>{{/note}}</h2></summary>
<div class="blocks">
{{{blocks}}}
</div>
</details>
</section>
{{/open}}
)";

const std::string_view block_template = R"(<div class="block{{#wide}} wide{{/wide}}">
{{#folded}}
<details>
<summary>{{heading}}</summary>
{{/folded}}
{{^folded}}
{{#heading}}
<h3>{{heading}}</h3>
{{/heading}}
{{/folded}}
{{#paragraphs}}
<p>{{text}}</p>
{{/paragraphs}}
{{#chart}}
<div class="figure{{#large}} large" role="region" tabindex="0" aria-label="{{plot}}{{/large}}">{{{chart}}}</div>
{{/chart}}
{{#has_items}}
<ul>
{{#items}}
<li>{{#label}}<b>{{label}}</b> {{/label}}{{text}}{{{places}}}{{#advice}}<br><span class="advice">{{advice}}</span>{{/advice}}</li>
{{/items}}
</ul>
{{/has_items}}
{{#table}}
<div class="scroll" role="region" tabindex="0" aria-label="{{region}}">
<table>
{{#caption}}
<caption><span>{{caption}}</span></caption>
{{/caption}}
<thead><tr>{{#columns}}<th scope="col"{{#number}} class="number"{{/number}}>{{text}}</th>{{/columns}}</tr></thead>
<tbody>
{{{rows}}}
</tbody>
</table>
</div>
{{/table}}
{{#has_lines}}
<pre>{{#lines}}{{text}}
{{/lines}}</pre>
{{/has_lines}}
{{#commands}}
<p class="does">{{label}}</p>
<pre class="command"><code>{{text}}</code></pre>
{{/commands}}
{{#folded}}
</details>
{{/folded}}
</div>
)";

const std::string_view cell_template =
    R"({{#first}}<th scope="row"{{#swatch}} class="kind"{{/swatch}}>{{/first}}{{^first}}<td class="{{{kind}}}">{{/first}})"
    R"({{#swatch}}<span class="swatch {{{swatch}}}"></span>&#160;{{/swatch}})"
    R"({{#toned}}<span class="{{{tone}}}"><span aria-hidden="true">{{sign}}</span> {{text}}</span>{{/toned}})"
    R"({{^toned}}{{#target}}<a href="#{{{target}}}">{{text}}</a>{{/target}}{{^target}}{{text}}{{/target}}{{/toned}})"
    R"({{{svg}}}{{#first}}</th>{{/first}}{{^first}}</td>{{/first}})";

const std::string_view link_template =
    R"({{#url}}<a class="place" href="{{url}}" rel="noreferrer">{{text}}</a>{{/url}})"
    R"({{^url}}<span class="place">{{text}}</span>{{/url}})";

}  // namespace stepgate
