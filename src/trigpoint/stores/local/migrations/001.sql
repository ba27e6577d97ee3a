PRAGMA application_id = 1414678855; -- "TRIG"

-- Format 1. Ids: a file has a number that is never given twice; symbol and chunk ids are file * 2^20 + index, so that
-- the rows of one file lie together, need no index to be found, and are written in ascending order.

CREATE TABLE meta (
    key TEXT PRIMARY KEY,
    value TEXT NOT NULL
) WITHOUT ROWID;

-- Paths are bytes (surrogateescape), sorted as bytes.
CREATE TABLE files (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    path BLOB NOT NULL UNIQUE,
    language TEXT NOT NULL,
    digest TEXT NOT NULL,
    size INTEGER NOT NULL,
    lines INTEGER NOT NULL,
    encoding TEXT NOT NULL,
    level TEXT NOT NULL,
    reason TEXT NOT NULL,
    detail TEXT NOT NULL,
    marks TEXT NOT NULL,           -- words, sorted, a space between
    stat TEXT NOT NULL,            -- "size mtime_ns ctime_ns inode", "" when unknown
    package TEXT NOT NULL,
    exports TEXT NOT NULL,         -- JSON list, "" when none
    symbols INTEGER NOT NULL,      -- numbers of rows, for counts without a scan
    chunks INTEGER NOT NULL,
    refs INTEGER NOT NULL
);

-- What is read a file at a time, deflated.
CREATE TABLE contents (
    file INTEGER PRIMARY KEY,
    text BLOB NOT NULL,
    imports BLOB NOT NULL,
    refs BLOB NOT NULL,
    bindings BLOB NOT NULL
);

CREATE TABLE names (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    folded TEXT NOT NULL
);
CREATE INDEX names_folded ON names (folded);

CREATE TABLE name_words (
    word TEXT NOT NULL,
    name INTEGER NOT NULL,
    PRIMARY KEY (word, name)
) WITHOUT ROWID;

CREATE TABLE path_words (
    word TEXT NOT NULL,
    file INTEGER NOT NULL,
    PRIMARY KEY (word, file)
) WITHOUT ROWID;

CREATE TABLE symbols (
    id INTEGER PRIMARY KEY,
    name INTEGER NOT NULL,
    qualified TEXT NOT NULL,
    kind TEXT NOT NULL,
    first INTEGER NOT NULL,
    last INTEGER NOT NULL,
    name_line INTEGER NOT NULL,
    name_column INTEGER NOT NULL,
    container INTEGER NOT NULL,    -- index in the file, -1 at the top
    complexity INTEGER NOT NULL,
    signature TEXT NOT NULL,
    doc TEXT NOT NULL,
    rest TEXT NOT NULL             -- JSON [bases, decorators, modifiers, receiver], "" when all are empty
);
CREATE INDEX symbols_name ON symbols (name);

CREATE TABLE chunks (
    id INTEGER PRIMARY KEY,
    first INTEGER NOT NULL,
    last INTEGER NOT NULL,
    kind TEXT NOT NULL,
    owner INTEGER,                 -- id of its symbol, NULL at the top
    members TEXT NOT NULL,         -- indexes of the symbols it names, a space between
    header TEXT NOT NULL,          -- without the path where it begins with it
    at INTEGER,                    -- where its text begins in the file, in characters; NULL when it is no slice
    text,                          -- its length in characters, or the text itself when it is no slice
    tokens INTEGER NOT NULL,
    digest BLOB NOT NULL,
    flags INTEGER NOT NULL,        -- see encode.py
    part INTEGER NOT NULL,
    parts INTEGER NOT NULL
);

-- Which files use or import a name. The key is 63 bits of a hash of the name: with a million distinct names the odds
-- that any two share a key are about 1 in 20 million, and the rows are a third as big.
CREATE TABLE uses (
    key INTEGER NOT NULL,
    file INTEGER NOT NULL,
    PRIMARY KEY (key, file)
) WITHOUT ROWID;

-- Files whose postings must go after the commit that dropped their rows.
CREATE TABLE graves (
    file INTEGER PRIMARY KEY
);
