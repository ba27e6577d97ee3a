-- Format 3: a changed file keeps its number, and its chunks keep theirs, so that what is the same is not written again.

-- What the vectors of a file are made of: 63 bits of a hash of the text and the name of each chunk, in order. Until now a file
-- got another number with each change, so that the number says the same.
ALTER TABLE files ADD COLUMN passages INTEGER NOT NULL DEFAULT 0;
UPDATE files SET passages = id;

-- Chunks whose words went, or became others, with this generation: the postings of before it must not be found any more.
DROP TABLE graves;
CREATE TABLE graves (
    chunk INTEGER PRIMARY KEY
);
