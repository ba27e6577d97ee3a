-- Format 2: edges. A node is a symbol's id, or of a file's top level its number * 2^20 + 2^20 - 1. Targets are known by a key
-- of path and name, so that edges outlive a new record of the file that they reach.

CREATE TABLE targets (
    key INTEGER PRIMARY KEY,       -- 63 bits of a hash of path, qualified name and number among its namesakes
    node INTEGER NOT NULL UNIQUE
);

CREATE TABLE edges (
    source INTEGER NOT NULL,       -- node
    line INTEGER NOT NULL,
    column INTEGER NOT NULL,
    kind INTEGER NOT NULL,         -- place in model.EDGE_KINDS
    target INTEGER NOT NULL,       -- key
    sure INTEGER NOT NULL,         -- confidence in hundredths
    how INTEGER NOT NULL,          -- place in model.RESOLVED_BY
    PRIMARY KEY (source, line, column, kind, target)
) WITHOUT ROWID;
CREATE INDEX edges_target ON edges (target, kind);
