"""Chunks for search: pieces of limited size that keep to what the author built."""

from docbats.chunks.chunk import Chunk
from docbats.chunks.chunker import Chunker, ChunkNode, chunk

__all__ = ["Chunk", "ChunkNode", "Chunker", "chunk"]
