"""`kinegraph validate`: check a model against the rules of its format, and repair what can be repaired."""

from converters.validating.run import Verdict as Verdict, validate as validate

__all__ = ["Verdict", "validate"]
