"""Elements of DocBook, DITA, JATS, TEI, Mallard and FictionBook by their conversion, without namespaces.

A name with several meanings is in a group that fits all, or is resolved by its parent.
"""

from __future__ import annotations

from collections.abc import Mapping


def _set(names: str) -> frozenset[str]:
    return frozenset(names.split())


SECTIONS: Mapping[str, str] = {
    **dict.fromkeys(
        _set(
            "set book part chapter appendix preface article partintro section sect1 sect2 sect3 sect4 sect5 simplesect "
            "refentry refsect1 refsect2 refsect3 refsection glossdiv bibliodiv dedication colophon "
            "qandadiv page topic concept task reference troubleshooting glossgroup refbodydiv sec div div0 div1 "
            "div2 div3 div4 div5 div6 div7 TEI TEI.2 teiCorpus FictionBook"
        ),
        "",
    ),
    "refsynopsisdiv": "Synopsis", "abstract": "Abstract", "glossary": "Glossary", "bibliography": "Bibliography",
    "ref-list": "References", "ack": "Acknowledgements", "acknowledgements": "Acknowledgements",
}  # fmt: skip
"""Sections, each with the title to use if it has none."""
TITLES = _set("title head bridgehead article-title refentrytitle book-title")
ABOUT = _set(
    "info bookinfo articleinfo chapterinfo appendixinfo prefaceinfo partinfo setinfo sectioninfo sect1info sect2info "
    "sect3info sect4info sect5info refentryinfo refsect1info refsect2info refsect3info refsectioninfo glossaryinfo "
    "objectinfo blockinfo prolog front teiHeader refmeta description"
)
"""Metadata of a section: authors, dates."""
AROUND = _set("article-meta title-group fileDesc titleStmt title-info")
"""Elements around a title in the metadata."""
SHORTLY = _set("abstract desc subtitle shortdesc")
AUTHORS = _set("author contrib docAuthor credit")
NAMES = ("honorific", "given-names", "firstname", "forename", "surname", "first-name", "middle-name", "last-name")
DATES = _set("pubdate pub-date date")
LEFT_OUT = _set(
    "indexterm remark index toc lot lof beginpage anchor colspec spanspec imagedata videodata audiodata imageobject "
    "videoobject audioobject graphic inline-graphic media journal-meta related-links comment "
    "manvolnum refmiscinfo refclass include fallback revisionHistory revhistory legalnotice keywordset subjectset "
    "topicmeta metadata bookmeta tex-math pb cb milestone fw inlinegraphic xmp "
    "object-id permissions counts custom-meta-group history linktext document-info publish-info binary"
)
AS_HTML: Mapping[str, str] = {
    name: html
    for html, names in (
        ("p", "para simpara p formalpara shortdesc task-cmd subtitle refpurpose docAuthor docDate byline speaker desc"),
        ("p", "text-author mixed-citation element-citation citation"),
        ("ul", "itemizedlist simplelist list ul sl calloutlist steps-unordered listBibl choices stepalternatives"),
        ("ol", "orderedlist procedure substeps steps ol"),
        ("li", "listitem item li sli list-item member step substep stepsection callout choice biblioentry bibliomixed"),
        ("dl", "variablelist glosslist terms dl def-list parml"),
        ("blockquote", "blockquote disp-quote epigraph lq"),
        ("table", "table informaltable simpletable properties choicetable"),
        ("div", "lg l boxed-text poem stanza v"),
        ("figure", "figure fig informalfigure mediaobject table-wrap"),
        ("code", "literal command option filename function varname codeph cmdname filepath monospace parameter tag"),
        ("br", "lb break"),
        ("sup", "superscript sup"),
        ("sub", "subscript sub"),
        ("s", "strike del strikethrough"),
    )
    for name in names.split()
}
OF_ONE_KIND: Mapping[tuple[str, str], str] = {
    ("app-group", "app"): "appendix",
    **{(step, "cmd"): "task-cmd" for step in ("step", "substep")},
}
OF_ANOTHER: Mapping[str, str] = {"cmd": "command"}
"""Names that depend on the parent: an appendix in JATS is an application in Mallard, a step in DITA a command there."""
ENTRIES = _set("varlistentry glossentry dlentry def-item plentry")
TERMS = _set("term glossterm dt pt")
NOTES = _set("footnote fn note")
REFERENCES = _set("xref link ulink ptr ref ext-link uri glossref olink")
TARGETS = ("linkend", "endterm", "target", "href", "url", "xref", "rid", "keyref")
JOINED: Mapping[str, str] = {
    "keycombo": "+", "keyseq": "+", "menuchoice": " → ", "guiseq": " → ", "menucascade": " → ",
}  # fmt: skip
CODE = _set(
    "programlisting screen literallayout synopsis funcsynopsis classsynopsis code codeblock msgblock preformat eg"
)
HOLD_CODE = frozenset(SECTIONS) | _set("item listitem li step note example figure listing body refsection")
ROWS = _set("row tr strow sthead property prophead chrow chhead seglistitem")
HEADS = _set("sthead prophead chhead")
QUOTES = _set("quote q")
BLOCKS = (
    frozenset(SECTIONS)
    | TITLES
    | (
        frozenset(AS_HTML)
        - _set("literal command option filename function varname codeph cmdname filepath monospace")
        - _set("parameter tag lb break subtitle refpurpose desc superscript sup subscript sub strike del")
    )
    | (CODE - _set("code"))
    | ENTRIES
    | ROWS
)
