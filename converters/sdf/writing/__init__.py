"""What the writer makes: models, files beside the document, plain spelling, older versions."""
