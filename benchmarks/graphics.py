"""What a graphics processor gives: `python -m benchmarks.graphics`, on a machine that has one, with torch and, for the
comparison, sentence-transformers.

Whether MiniLM's vectors are those of the processor, how many texts a second it embeds beside the raw library on the
same device, and what a whole build of 9,746 files takes by words alone and by vectors alone.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Any

from benchmarks.meaning import minilm_folder, texts_of_scifact
from benchmarks.workbench import opened
from biblicus.connectors.python import Corpus
from biblicus.contracts import Call, Device, Given
from biblicus.embedding.minilm import MiniLM

if TYPE_CHECKING:
    from numpy import float32
    from numpy.typing import NDArray

_TEXTS = 5_183
_COMPARED = 512
_TURNS = 5
_BATCHES = (32, 256)
"""Of sentence-transformers: as it comes, and as one would choose here."""


def embedded(texts: list[str], device: Device) -> dict[str, Any]:
    """Texts a second of ours and of the raw library, turn by turn, and the least cosine with the vectors of numpy."""
    import torch
    from sentence_transformers import SentenceTransformer

    ours = MiniLM(Given(device=device))
    by_numpy = MiniLM(Given(device="cpu"), worth_torch=sys.maxsize)
    raw = SentenceTransformer(str(minilm_folder()), device=device)
    vectors = ours.embed(texts[:_COMPARED], Call())
    sides: dict[str, Callable[[], object]] = {"ours": partial(ours.embed, texts, Call())}
    for size in _BATCHES:
        sides[f"sentence-transformers, {size} at once"] = partial(
            raw.encode, texts, batch_size=size, normalize_embeddings=True, show_progress_bar=False
        )
    seconds: dict[str, list[float]] = {name: [] for name in sides}
    for turn in range(_TURNS + 1):
        for name, side in sides.items():
            began = time.perf_counter()
            side()
            if turn:  # the first one loads
                seconds[name].append(time.perf_counter() - began)
    return {
        "device": torch.cuda.get_device_name() if device == "cuda" else device,
        "least cosine with numpy": _least(vectors, by_numpy.embed(texts[:_COMPARED], Call())),
        "least cosine with sentence-transformers": _least(
            vectors, raw.encode(texts[:_COMPARED], normalize_embeddings=True, show_progress_bar=False)
        ),
        "texts a second": {name: round(len(texts) / median(taken)) for name, taken in seconds.items()},
    }


def _least(some: NDArray[float32], others: NDArray[float32]) -> float:
    return float((some.astype("f8") * others.astype("f8")).sum(axis=1).min())


def built(folder: Path, recipe: str) -> dict[str, Any]:
    """A whole build by one recipe."""
    with Corpus.init(folder) as corpus:
        began = time.perf_counter()
        run = corpus.reindex(recipe, fresh=True).runs[0].manifest
        seconds = time.perf_counter() - began
    passages = run.counts["chunks"]
    return {"recipe": recipe, "seconds": round(seconds, 1), "passages": passages, "a second": round(passages / seconds)}


def main() -> None:
    with opened(1) as bench:
        print(json.dumps(embedded(texts_of_scifact(_TEXTS), "cuda"), indent=1), flush=True)
        os.environ["BIBLICUS_DEVICE"] = "cuda"
        for recipe in ("lexical", "vector"):
            print(json.dumps(built(bench.fresh(bench.documents), recipe)), flush=True)


if __name__ == "__main__":
    main()
