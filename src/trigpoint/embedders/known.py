"""THE TABLE of embedding models that can be chosen by name. Adding one is adding a row."""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import sha256
from typing import NamedTuple


class Known(NamedTuple):
    """One model: where it runs, what it takes, what it wants to be told."""

    name: str
    kind: str  # a key of choice.MAKERS: where the code of a model is
    words: str
    model: str = ""  # as its service or hub calls it
    dimensions: int = 0  # 0 where only the model knows
    max_tokens: int = 8_000  # of one input
    query_prompt: str = ""
    document_prompt: str = ""
    endpoint: str = ""  # address of the service that its owner runs
    key: str = ""  # environment variable of the key
    inputs: int = 256  # texts of one request
    tokens: int = 100_000  # of one request
    query_task: str = ""  # what a service with several modes is told of a question
    document_task: str = ""
    remote_code: bool = False  # whether the model brings code of its own: only with a pinned revision

    @property
    def marks(self) -> str:
        """A digest of all but the address that changes its vectors."""
        shaping = (
            self.model, str(self.dimensions), self.query_prompt, self.document_prompt, self.query_task,
            self.document_task,
        )  # fmt: skip
        return sha256("\0".join(shaping).encode()).hexdigest()[:12]

    @property
    def is_service(self) -> bool:
        """Whether texts leave this process for an address."""
        return self.kind in ("http", "litellm")


_CODE_QUERY = "Represent this query for searching relevant code: "
_JINA_QUERY = "Find the most relevant code snippet given the following query:\n"
_JINA_DOCUMENT = "Candidate code snippet:\n"
_QWEN_QUERY = "Instruct: Given a question about a code base, retrieve the code that answers it\nQuery:"

ROWS: tuple[Known, ...] = (
    Known("static", "static", "the model that ships: one vector a word, thousands of texts a second"),
    Known("none", "none", "no model: words and names only"),
    Known("hashing", "hashing", "for tests: equal words meet, meaning does not"),
    Known("minilm", "onnx", "all-MiniLM-L6-v2 in bytes; extra `onnx`", "all-MiniLM-L6-v2", 384, 256),
    Known("onnx", "onnx", "a folder with model.onnx and tokenizer.json, named by embedding.model; extra `onnx`"),
    Known(
        "coderankembed", "sentence", "137 million numbers, trained for code; extra `sentence-transformers`",
        "nomic-ai/CodeRankEmbed", 768, 8_000, _CODE_QUERY, remote_code=True,
    ),
    Known(
        "jina-code", "sentence", "1.5 billion numbers, trained for code; extra `sentence-transformers`",
        "jinaai/jina-code-embeddings-1.5b", 1_536, 8_000, _JINA_QUERY, _JINA_DOCUMENT,
    ),
    Known(
        "jina-code-small", "sentence", "half a billion numbers, trained for code; extra `sentence-transformers`",
        "jinaai/jina-code-embeddings-0.5b", 896, 8_000, _JINA_QUERY, _JINA_DOCUMENT,
    ),
    Known(
        "qwen3", "sentence", "0.6 billion numbers, many languages; extra `sentence-transformers`",
        "Qwen/Qwen3-Embedding-0.6B", 1_024, 8_000, _QWEN_QUERY,
    ),
    Known(
        "qwen3-large", "sentence", "4 billion numbers, many languages; extra `sentence-transformers`",
        "Qwen/Qwen3-Embedding-4B", 2_560, 8_000, _QWEN_QUERY,
    ),
    Known(
        "sentence-transformers", "sentence",
        "a folder or name that sentence-transformers loads, given by embedding.model; extra `sentence-transformers`",
        max_tokens=512,
    ),
    Known("http", "http", "any service that speaks as OpenAI does: Ollama, vLLM, TEI, LM Studio; embedding.endpoint"),
    Known(
        "openai", "http", "text-embedding-3-small of OpenAI", "text-embedding-3-small", 1_536, 8_000,
        endpoint="https://api.openai.com/v1", key="OPENAI_API_KEY", tokens=200_000,
    ),
    Known(
        "openai-large", "http", "text-embedding-3-large of OpenAI", "text-embedding-3-large", 3_072, 8_000,
        endpoint="https://api.openai.com/v1", key="OPENAI_API_KEY", tokens=200_000,
    ),
    Known(
        "ollama", "http", "nomic-embed-text in an Ollama on this machine", "nomic-embed-text", 768, 2_000,
        "search_query: ", "search_document: ", endpoint="http://127.0.0.1:11434/v1", inputs=64, tokens=32_000,
    ),
    Known(
        "voyage", "litellm", "voyage-code-3; extra `litellm`", "voyage/voyage-code-3", 1_024, 16_000,
        endpoint="https://api.voyageai.com/v1", key="VOYAGE_API_KEY", query_task="query", document_task="document",
    ),
    Known(
        "gemini", "litellm", "gemini-embedding-001; extra `litellm`", "gemini/gemini-embedding-001", 3_072, 2_000,
        endpoint="https://generativelanguage.googleapis.com", key="GEMINI_API_KEY", inputs=100, tokens=20_000,
        query_task="CODE_RETRIEVAL_QUERY", document_task="RETRIEVAL_DOCUMENT",
    ),
)  # fmt: skip
"""Prompts are those that the makers of each model publish for it."""

KNOWN: Mapping[str, Known] = {one.name: one for one in ROWS}
"""The same by name."""
