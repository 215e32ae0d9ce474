namespace docspec { int run(int, char**); }
int main(int argc, char** argv) { return docspec::run(argc, argv); }
