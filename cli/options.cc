namespace docspec { int run(int, char**) { return 0; } }
