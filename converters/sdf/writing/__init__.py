"""The parts of the writer: models, files beside the document, spelling, older versions."""
