"""Many documents through Ray Data: python -m docspec.ray --help"""
