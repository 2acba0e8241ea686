"""Today's tools, run on exactly the data that stepgate's own rule judges."""
