"""The neutral graph that every conversion goes through. It knows no format, no disk and no user."""

from ir.scene import TABLES as TABLES, Scene as Scene
