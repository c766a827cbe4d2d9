"""Everything that people read: the report, letters, figures, exchange formats, from the evidence alone.

How a figure comes about:

1. A function of `figures`, or of a part's `telling`, reads the evidence, places values by a `Frame` of two scales, and adds
   lines, marks, bands and notes to a `Chart`.
2. `Chart` cleans and escapes every text, takes every colour from `templates/styles/shared.css`, keeps labels at 8 pt or more, and
   writes SVG with its alternative text. `Frame` drops labels that would touch.
3. The template prints `show.chart(...)`: drawing, caption, and remarks on what is left out.

Tests ask a chart for its shapes by name (`chart.named("crossing")`) and compare their places with the numbers.
"""
