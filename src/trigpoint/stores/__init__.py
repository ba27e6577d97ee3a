"""Where an index is kept. Each store implements ``ports.Store`` and passes ``conformance``."""
