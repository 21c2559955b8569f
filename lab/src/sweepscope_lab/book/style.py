"""The look of the page: light and dark, wide and narrow; nothing is loaded from elsewhere."""

CSS = """
:root { color-scheme: light dark; --ink: #1d2530; --soft: #56606d; --ground: #ffffff; --raised: #f3f5f8; --rule: #cfd6de;
  --link: #1f5fa8; --mark: #9a4a12; }
@media (prefers-color-scheme: dark) { :root { --ink: #e4e8ed; --soft: #a3adb9; --ground: #14181d; --raised: #1f252c;
  --rule: #3b444f; --link: #86b8f0; --mark: #f0b070; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--ground); color: var(--ink); font: 16px/1.5 system-ui, sans-serif; }
main { max-width: 72rem; margin: 0 auto; padding: 1rem 1.2rem 4rem; overflow-wrap: break-word; }
h1 { font-size: 1.8rem; line-height: 1.2; margin: 1rem 0 0.4rem; }
h2 { font-size: 1.45rem; line-height: 1.25; margin: 3rem 0 0.3rem; padding-top: 0.8rem; border-top: 2px solid var(--rule); }
h3 { font-size: 1.15rem; margin: 2.2rem 0 0.6rem; }
a { color: var(--link); }
p, li, dd { max-width: 52rem; }
.source, .soft { color: var(--soft); }
nav ol, nav ul { padding-left: 1.3rem; margin: 0.2rem 0; }
nav > ol > li { margin-bottom: 0.7rem; }
nav ul { columns: 2 20rem; column-gap: 2rem; font-size: 0.92rem; }
nav ul li { break-inside: avoid; }
.box { overflow-x: auto; margin: 0.4rem 0; border: 1px solid var(--rule); border-radius: 4px; }
.box:focus-visible { outline: 2px solid var(--link); }
table { border-collapse: collapse; width: 100%; font-size: 0.88rem; font-variant-numeric: tabular-nums; }
caption { caption-side: top; text-align: left; font-weight: 600; padding: 0.5rem 0.6rem; position: sticky; left: 0; }
th, td { padding: 0.28rem 0.6rem; text-align: right; vertical-align: top; }
th { white-space: nowrap; }
thead th { background: var(--raised); border-bottom: 1px solid var(--rule); font-weight: 600; vertical-align: bottom; }
thead th { white-space: normal; min-width: 4.2rem; }
th:first-child, td:first-child { text-align: left; }
tbody th { font-weight: 400; min-width: 7rem; white-space: normal; }
tbody tr.ends th, tbody tr.ends td { border-bottom: 1px solid var(--rule); }
td { white-space: nowrap; }
table.words td { white-space: normal; min-width: 7rem; text-align: left; }
table.words thead th { text-align: left; }
.notes { font-size: 0.9rem; color: var(--soft); margin: 0.3rem 0 0; padding-left: 1.2rem; }
section.sheet, figure { margin: 1.2rem 0 2rem; }
figure img { display: block; width: 100%; max-width: 100%; height: auto; background: #ffffff; border: 1px solid var(--rule);
  border-radius: 4px; }
figure img.narrow { max-width: 46rem; }
figcaption { margin-top: 0.5rem; }
figcaption b, .number { color: var(--mark); }
dl.compare { display: grid; grid-template-columns: max-content 1fr; gap: 0.15rem 0.8rem; margin: 0.4rem 0 0;
  font-size: 0.92rem; }
dl.compare dt { color: var(--soft); }
dl.compare dd { margin: 0; }
@media (max-width: 34rem) { dl.compare { grid-template-columns: 1fr; } dl.compare dd { margin-bottom: 0.4rem; }
  main { padding: 0.6rem 0.8rem 3rem; } }
"""
