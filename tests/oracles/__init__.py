"""Engines and independent readers with which conversions are compared. Nothing here imports the product."""
