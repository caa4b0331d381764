"""Engines and independent readings that conversions are held against. Nothing here imports the product."""
