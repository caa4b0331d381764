"""What was lost: findings, the reasons for them, and the forms a person or a machine reads.

model.py     findings, and the report that they add up to
findings.py  differences between the graph and what is read back, as findings
values.py    values of the graph as a person reads them
reasons.py   what rows of tables ask of a difference
file_reasons.py   what they ask about the files of assets
value_reasons.py  what they ask of its two values alone
rows.py      these tables, which are texts: FORMAT/losses.txt
ignored.py   why elements have no effect in the source
idle.py      options that do nothing in a conversion
source_faults.py  what is wrong with a source, told once for all formats
render.py    which form a file name asks for
document.py  the report as JSON
text.py      as lines for a terminal
markdown.py  as Markdown
page.py      as one HTML page
sarif.py     as SARIF 2.1.0
safe.py      text of a model made safe to show
"""
