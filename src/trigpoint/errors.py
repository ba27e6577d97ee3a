"""The error tree. Each error says what is wrong and, in its hint, what to do; surfaces turn it into exit status 2.

TrigpointError
├── UsageError            the request cannot be understood
│   └── ConfigError       a setting is unknown, contradicts another or has a bad value
├── NotFoundError         a path, symbol or range that does not exist
├── OutsideRootError      a path that would leave the project
├── SourceError           the tree cannot be listed or read
├── ProviderError         a model, or the service that it is asked of, does not answer as promised
└── StoreError            the index cannot be used
    ├── StoreLockedError  another process is writing
    ├── StoreFormatError  written by a newer version
    └── StoreDamagedError its parts contradict each other
"""

from __future__ import annotations


class TrigpointError(Exception):
    """Anything that keeps Trigpoint from answering."""

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint


class UsageError(TrigpointError, ValueError):
    """The request cannot be understood. A ValueError too: what a library raises for a wrong argument."""


class ConfigError(UsageError):
    """A setting is unknown, contradicts another or has a bad value."""


class NotFoundError(TrigpointError):
    """A path, symbol or range that does not exist."""


class OutsideRootError(TrigpointError):
    """A path that would leave the project."""


class SourceError(TrigpointError):
    """The tree cannot be listed or read."""


class ProviderError(TrigpointError):
    """A model, or the service that it is asked of, does not answer as promised. Never holds a key."""


class StoreError(TrigpointError):
    """The index cannot be used."""


class StoreLockedError(StoreError):
    """Another process is writing."""


class StoreFormatError(StoreError):
    """The index was written by a newer version."""


class StoreDamagedError(StoreError):
    """The parts of the index contradict each other."""
