"""Other tools, run on exactly the data that stepgate's rule judges."""
