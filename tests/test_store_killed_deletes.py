"""A writer killed between tantivy's file of deletions and its meta.json leaves a file that the next one must be able to write."""

import shutil

import trigpoint
from planting import planted

TREE = {f"src/m{number}.py": f"def work_{number}():\n    return {number}\n" for number in range(40)}


def test_a_file_of_deletions_that_was_never_published_is_in_nobodys_way(tmp_path, monkeypatch):
    monkeypatch.setenv("TRIGPOINT_CACHE_DIR", str(tmp_path / "cache"))
    root, index, before = planted(tmp_path / "project", TREE), tmp_path / "index", tmp_path / "before"
    options = {"index_dir": str(index), "embedder": "none"}
    with trigpoint.open(root, **options) as project:
        project.index()
    shutil.copytree(index, before, symlinks=True)
    (root / "src/m3.py").unlink()
    with trigpoint.open(root, **options) as project:
        project.index()
    left = [path for path in index.rglob("*.del") if not (before / path.relative_to(index)).exists()]
    assert left
    for path in left:
        shutil.copy(path, before / path.relative_to(index))
    shutil.rmtree(index)
    shutil.move(before, index)
    with trigpoint.open(root, **options) as project:
        assert project.index().deleted == 1
        assert project.doctor() == ()
        assert not project.search("work_3", update=False).hits or all(
            one.hit.chunk.path != "src/m3.py" for one in project.search("work_3", update=False).hits
        )
