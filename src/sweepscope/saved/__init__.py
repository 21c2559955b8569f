"""Scenes as files: shapes, bodies and filters as a description and arrays, and back. `docs/scene_files.md` is the format."""
