"""What walks the edges: names to definitions, walks, ranks, communities, pictures. Pure over a Snapshot."""
