"""Start vectors: each word through a sentence encoder once, then principal components.

usage: teacher.py VOCABULARY MODEL.onnx TOKENIZER.json OUT.npy [DIMENSIONS]
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import onnxruntime
from tokenizers import Tokenizer

BATCH = 256


class Teacher:
    """all-MiniLM-L6-v2 in ONNX: mean over tokens, unit length."""

    def __init__(self, model: str, tokenizer: str, longest: int = 64) -> None:
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        self.session = onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])
        self.names = [one.name for one in self.session.get_inputs()]
        self.tokenizer = Tokenizer.from_file(tokenizer)
        self.tokenizer.no_padding()
        self.tokenizer.enable_truncation(longest)

    def encode(self, texts: list[str], batch: int = BATCH) -> np.ndarray:
        """One row a text."""
        encoded = self.tokenizer.encode_batch(texts)
        order = np.argsort([len(one.ids) for one in encoded], kind="stable")
        out = np.zeros((len(texts), 384), np.float32)
        for start in range(0, len(texts), batch):
            rows = order[start : start + batch]
            width = max(len(encoded[row].ids) for row in rows)
            ids, mask = np.zeros((len(rows), width), np.int64), np.zeros((len(rows), width), np.int64)
            for at, row in enumerate(rows):
                length = len(encoded[row].ids)
                ids[at, :length], mask[at, :length] = encoded[row].ids, 1
            feed = {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}
            hidden = self.session.run(None, {name: feed[name] for name in self.names})[0]
            if hidden.ndim == 3:
                hidden = (hidden * mask[:, :, None]).sum(1) / mask.sum(1, keepdims=True)
            out[rows] = hidden / np.linalg.norm(hidden, axis=1, keepdims=True)
        return out


def known(path: Path) -> dict[str, np.ndarray]:
    """The words that were encoded before: a changed vocabulary costs only what is new."""
    if not path.exists():
        return {}
    with np.load(path) as held:
        return dict(zip(held["words"].tolist(), held["vectors"], strict=True))


def main() -> None:
    """Write the table, one row a word."""
    vocabulary, model, tokenizer, out = sys.argv[1:5]
    dimensions = int(sys.argv[5]) if len(sys.argv) > 5 else 256
    words = [line.split("\t")[0] for line in Path(vocabulary).read_text().splitlines()]
    cache = Path(out).with_suffix(".words.npz")
    held = known(cache)
    new = [word for word in words if word not in held]
    held.update(zip(new, Teacher(model, tokenizer).encode(new), strict=True))
    np.savez(cache, words=np.array(list(held)), vectors=np.stack(list(held.values())).astype(np.float32))
    table = np.stack([held[word] for word in words])
    table = table - table.mean(0)
    axes, sizes, _ = np.linalg.svd(table.T @ table / len(table))
    np.save(out, (table @ axes[:, :dimensions]).astype(np.float32))
    print(
        len(words),
        "words,",
        len(new),
        "new; variance kept",
        round(float(sizes[:dimensions].sum() / sizes.sum()), 3),
    )


if __name__ == "__main__":
    main()
