"""Sixty made-up names in three corpora of ten documents: what is found is about something else, and is said to be."""

from pathlib import Path

import pytest

from biblicus import Corpus

MADE_UP = (
    "VBMicrolensing", "VBBL", "pyZorb", "HyperNova9", "GraphZilla", "NetworkQ", "pyLensor", "OpenTarn", "xlfit3",
    "h5zorb", "beta_zorb", "zorb.fit", "ZorbKit", "MulensZorb", "RTZorb", "QX7", "LensFit2", "DataTarn", "KivoTrix",
    "TorchZilla",
)  # fmt: skip
QUESTIONS = (
    "How do I install {} with conda?",
    "{} install with conda",
    "What does the function fit of {} return by default?",
    "How do I set the timeout in {}?",
    "What licence has {}?",
)
CORPORA = {
    "lenses": ("MulensModel", "pyLIMA", "RTModel"),
    "graphs": ("NetworkX", "igraph", "graphviz"),
    "numbers": ("NumPy", "SciPy", "pandas"),
}


def corpus_of(folder: Path, toolkits: tuple[str, ...]) -> Corpus:
    folder.mkdir()
    for name in toolkits:
        (folder / f"{name}-readme.md").write_text(
            f"# {name}\n\nInstall {name} with conda: conda install {name.lower()}.\n\n{name} has the MIT licence.\n"
        )
        (folder / f"{name}-options.md").write_text(
            f"# Options\n\nThe timeout of {name} is set by the option timeout.\n"
        )
        (folder / f"{name}-api.md").write_text(f"# API\n\nThe function fit of {name} returns a list by default.\n")
    (folder / "index.md").write_text(f"# Toolkits\n\nThere are {', '.join(toolkits)}.\n")
    corpus = Corpus.init(folder)
    corpus.reindex()
    return corpus


@pytest.mark.parametrize("name", CORPORA)
def test_a_made_up_name_is_not_answered_for_and_a_known_one_is(name: str, tmp_path: Path) -> None:
    with corpus_of(tmp_path / name, CORPORA[name]) as corpus:
        wrong = []
        for at, made_up in enumerate(MADE_UP):
            question = QUESTIONS[at % len(QUESTIONS)].format(made_up)
            if not corpus.query(question).insufficient or corpus.answer(question).confidence >= 0.3:
                wrong.append(question)
        known = [question.format(toolkit) for question in QUESTIONS for toolkit in CORPORA[name]]
        known += [f"Which toolkits are there beside {toolkit}?" for toolkit in CORPORA[name]]
        unanswered = [question for question in known if not corpus.answer(question).statements]
    assert wrong == []
    assert unanswered == []
