"""`kinegraph validate`: a model against the rules of its format, and what can be repaired of it."""

from converters.validating.run import Verdict as Verdict, validate as validate

__all__ = ["Verdict", "validate"]
