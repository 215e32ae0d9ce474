namespace docspec { int x(); int run(int, char**) { return x(); } }
