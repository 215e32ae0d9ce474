"""What training needs on a machine without packages: python carry.py --to FOLDER [--from FOLDER with pages-*.safetensors]

FOLDER gets fonts/ (cut down to the characters that are drawn), prose.json.gz, and the last checkpoint; some 15 MiB in all.
make_pages takes it with --carried FOLDER."""

import argparse
import glob
import os
import shutil

from fontTools import subset

from synth import fonts, text


def cut(path, to):
    """A font with the characters of CHARSET alone; hints and kerning stay, for letters must look as they do here."""
    options = subset.Options()
    options.layout_features, options.drop_tables = [], ["GPOS", "GSUB", "GDEF", "DSIG"]
    options.name_IDs, options.notdef_outline, options.legacy_kern = ["*"], True, True
    font = subset.load_font(path, options)
    cutter = subset.Subsetter(options)
    cutter.populate(text=text.CHARSET + " ")
    cutter.subset(font)
    subset.save_font(font, to, options)


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--to", required=True)
    p.add_argument("--from", dest="source", help="the --runs folder of make_pages")
    args = p.parse_args()
    os.makedirs(os.path.join(args.to, "fonts"), exist_ok=True)
    for held_out in (False, True):
        for path in (p for paths in fonts.families(held_out).values() for p in paths):
            to = os.path.join(args.to, "fonts", os.path.basename(path))
            if not os.path.exists(to):
                cut(path, to)
    text.paragraphs(False, os.path.join(args.to, "prose.json.gz"))
    for path in sorted(glob.glob(os.path.join(args.source, "pages-*.safetensors"))) if args.source else ():
        shutil.copy(path, args.to)
    size = sum(os.path.getsize(os.path.join(folder, f)) for folder, _, files in os.walk(args.to) for f in files)
    print(f"{args.to}: {size / 2**20:.1f} MiB")


if __name__ == "__main__":
    main()
