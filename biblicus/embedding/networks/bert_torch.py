"""The same BERT encoder in torch, for many texts and for a GPU.

Written with torch's own functions, since importing a library with every architecture costs 6 s more."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import torch
from torch.nn import functional

from biblicus.embedding.networks.batches import by_length
from biblicus.errors import EmbedderUnavailable
from biblicus.lazy import NDArray, np

if TYPE_CHECKING:
    from biblicus.contracts import Call, Device
    from biblicus.embedding.networks.bert import Model

_MOST_TOKENS = {"cpu": 2_048, "cuda": 65_536}
_MOST_TEXTS = {"cpu": 32, "cuda": 1_024}


def choose(device: Device) -> str:
    """Return the device; `auto` uses a GPU if torch supports it."""
    if device == "cpu" or not torch.cuda.is_available():
        if device == "cuda":
            raise EmbedderUnavailable(
                "of this recipe", "torch can use no graphics processor here", "BIBLICUS_DEVICE=cpu"
            )
        return "cpu"
    return "cuda"


class TorchBert:
    """Forward pass over padded batches of texts of similar length."""

    def __init__(self, model: Model, device: Device) -> None:
        self.device = choose(device)
        self._model = model
        self._weights: dict[str, Any] = {
            name: torch.from_numpy(tensor.copy()).to(self.device)
            for name, tensor in model.weights.items()
            if tensor.dtype.kind == "f"
        }
        self._fuse()

    def _fuse(self) -> None:
        """Combine query, key and value in one product."""
        for layer in range(self._model.layers):
            name = f"encoder.layer.{layer}.attention.self."
            for kind in ("weight", "bias"):
                parts = [self._weights.pop(f"{name}{part}.{kind}") for part in ("query", "key", "value")]
                self._weights[f"{name}all.{kind}"] = torch.cat(parts)

    def embed(self, tokens: Sequence[Sequence[int]], call: Call) -> NDArray[np.float32]:
        """Convert token ids of n ≥ 1 non-empty texts to normalised vectors (n, dim)."""
        lengths = [len(ids) for ids in tokens]
        order: list[int] = []
        vectors: list[torch.Tensor] = []
        with torch.inference_mode():
            for batch in by_length(lengths, _MOST_TOKENS[self.device], _MOST_TEXTS[self.device]):
                call.check()
                order += batch
                vectors.append(self._batch([tokens[index] for index in batch]))
            # Fetched together at the end, so that the GPU computes one batch while the next is prepared.
            result: NDArray[np.float32] = np.empty((len(tokens), vectors[0].shape[1]), np.float32)
            result[order] = torch.cat(vectors).cpu().numpy()
        return result

    def _batch(self, tokens: Sequence[Sequence[int]]) -> torch.Tensor:
        lengths = [len(ids) for ids in tokens]
        longest = max(lengths)
        rows = np.zeros((len(tokens), longest), np.int64)
        for row, ids in zip(rows, tokens, strict=True):
            row[: len(ids)] = ids
        padded = torch.from_numpy(rows).to(self.device)
        mask = torch.arange(longest, device=self.device)[None, :] < torch.tensor(lengths, device=self.device)[:, None]
        name = "embeddings."
        states = self._words(padded) + self._weights[name + "position_embeddings.weight"][:longest]
        states = self._norm(name, states + self._weights[name + "token_type_embeddings.weight"][0])
        attended = None if min(lengths) == longest else mask[:, None, None, :]
        for layer in range(self._model.layers):
            states = self._layer(f"encoder.layer.{layer}.", states, attended)
        summed = (states * mask[:, :, None]).sum(dim=1)
        return functional.normalize(summed, dim=1)

    def _words(self, padded: torch.Tensor) -> torch.Tensor:
        if self._model.words is None:
            return functional.embedding(padded, self._weights["embeddings.word_embeddings.weight"])
        return torch.from_numpy(self._model.words(padded.cpu().numpy())).to(self.device)

    def _layer(self, name: str, states: torch.Tensor, mask: torch.Tensor | None) -> torch.Tensor:
        texts, longest, dim = states.shape
        heads = self._linear(name + "attention.self.all", states).view(texts, longest, 3, self._model.heads, -1)
        query, key, value = heads.permute(2, 0, 3, 1, 4).unbind(0)
        mixed = functional.scaled_dot_product_attention(query, key, value, attn_mask=mask)
        mixed = mixed.transpose(1, 2).reshape(texts, longest, dim)
        attended = self._norm(name + "attention.output.", self._linear(name + "attention.output.dense", mixed) + states)
        hidden = functional.gelu(self._linear(name + "intermediate.dense", attended))
        return self._norm(name + "output.", self._linear(name + "output.dense", hidden) + attended)

    def _linear(self, name: str, states: torch.Tensor) -> torch.Tensor:
        return functional.linear(states, self._weights[name + ".weight"], self._weights[name + ".bias"])

    def _norm(self, name: str, states: torch.Tensor) -> torch.Tensor:
        weight, bias = self._weights[name + "LayerNorm.weight"], self._weights[name + "LayerNorm.bias"]
        return functional.layer_norm(states, weight.shape, weight, bias, self._model.epsilon)
