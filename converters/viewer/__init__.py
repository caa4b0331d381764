"""A model as one page that opens from disk: it shows the model, moves it and says what was lost."""

from converters.viewer.view import view as view
