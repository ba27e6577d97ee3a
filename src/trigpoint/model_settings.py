"""The settings of models: which embeds, which reranks, where services are, what they may cost."""

from __future__ import annotations

from typing import NamedTuple

Value = str | int | float | bool

ANYWHERE = frozenset({"flag", "environment", "project", "user"})
NOT_BY_A_PROJECT = ANYWHERE - {"project"}  # a project may come from a stranger
NOT_IN_A_FILE = NOT_BY_A_PROJECT - {"user"}  # in the user file it would be one for all projects


class Setting(NamedTuple):
    """One row: all there is to know about a setting. Its attribute is its key with ``_`` for ``.``."""

    key: str
    default: Value
    words: str
    choices: tuple[str, ...] = ()
    minimum: float | None = None
    maximum: float | None = None
    places: frozenset[str] = ANYWHERE

    @property
    def attribute(self) -> str:
        """Its name in Settings."""
        return self.key.replace(".", "_")

    @property
    def variable(self) -> str:
        """Its environment variable."""
        return "TRIGPOINT_" + self.attribute.upper()


RERANKERS = (
    "none", "embedding", "minilm", "cross-encoder", "cross-encoder-onnx", "listwise", "pointwise",
)  # fmt: skip

MODEL_SETTINGS: tuple[Setting, ...] = (
    Setting("embedder", "static", "model that finds code by its meaning: a name, or the address of a service"),
    Setting("embedding.model", "", "its name there, or its folder; empty for that of the embedder", places=NOT_BY_A_PROJECT),
    Setting("embedding.endpoint", "", "address of the service that may be sent the code", places=NOT_BY_A_PROJECT),
    Setting("embedding.key_variable", "", "environment variable with its key; empty for the usual one", places=NOT_BY_A_PROJECT),
    Setting("embedding.dimensions", 0, "numbers in a vector; 0 for what the model gives", minimum=0, maximum=8_192),
    Setting("embedding.max_tokens", 0, "longest input of the model; 0 for the usual", minimum=0, maximum=1_000_000),
    Setting("embedding.batch_tokens", 0, "most tokens of one request; 0 for the usual", minimum=0, maximum=10_000_000),
    Setting("embedding.query_prompt", "", "written before a question; empty for the model's own"),
    Setting("embedding.document_prompt", "", "written before a piece of code; empty for the model's own"),
    Setting("embedding.revision", "", "revision whose code a model may run", places=NOT_BY_A_PROJECT),
    Setting("embedding.tries", 6, "times that a failing service is asked", minimum=1, maximum=20),
    Setting("embedding.seconds", 60.0, "time limit of each answer of a service", minimum=0.1, maximum=3_600),
    Setting("vectors.search", "auto", "how near vectors are found", choices=("auto", "exact", "signs", "faiss")),
    Setting("rerank.by", "none", "model that reads the best results again", choices=RERANKERS),
    Setting("rerank.top", 20, "results that it reads", minimum=1, maximum=200),
    Setting("rerank.seconds", 10.0, "its time limit; without an answer the order stays", minimum=0.01, maximum=600),
    Setting("rerank.model", "", "its name at the service, or its folder", places=NOT_BY_A_PROJECT),
    Setting("rerank.endpoint", "", "address of the service that may be sent the results", places=NOT_BY_A_PROJECT),
    Setting("rerank.key_variable", "", "environment variable with its key; empty for none", places=NOT_BY_A_PROJECT),
    Setting("rerank.window", 20, "results that a listwise model orders at once", minimum=2, maximum=100),
    Setting("rerank.step", 10, "results that its window moves by", minimum=1, maximum=100),
    Setting("rerank.tokens", 16_000, "most tokens that its requests hold together", minimum=500, maximum=10_000_000),
)  # fmt: skip
"""An address is allowed by the person, never by the project; a key is only ever in the environment."""
