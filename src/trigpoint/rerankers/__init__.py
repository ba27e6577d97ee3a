"""Models that read question and code together: each module is one way, behind ports.Reranker. Imported only when one is chosen."""
