"""The version of this program, said here and nowhere else: asking what is installed takes 2 ms of every start."""

from __future__ import annotations

__version__ = "0.1.0"
