namespace docspec {}
