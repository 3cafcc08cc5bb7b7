"""Chunks for search: pieces of limited size that keep to what the author built."""

from docbats.chunks.chunk import Chunk, ChunkNode
from docbats.chunks.chunker import Chunker, chunk

__all__ = ["Chunk", "ChunkNode", "Chunker", "chunk"]
