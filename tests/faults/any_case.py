"""A folder whose names have no case, as on macOS, Windows and their shares: any_case.py FOLDER PLACE mounts it (python3-fusepy)."""
import os
import subprocess
import sys
import time
from pathlib import Path


def mounted_any_case(place):
    """Whether an empty folder of this kind stands at `place`."""
    kept = place.with_name(place.name + "-kept")
    kept.mkdir()
    place.mkdir()
    server = subprocess.Popen(["/usr/bin/python3", __file__, kept, place], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    while server.poll() is None:
        if os.path.ismount(place):
            return True
        time.sleep(0.05)
    return False


def serve(root, place):
    from fusepy import FUSE, FuseOSError, Operations

    def real(path):
        at = root
        for part in path.split("/")[1:]:
            names = {name.casefold(): name for name in os.listdir(at)} if os.path.isdir(at) else {}
            at = os.path.join(at, names.get(part.casefold(), part))
        return at

    class AnyCase(Operations):
        use_ns = True

        def __call__(self, name, path, *more):
            try:
                return getattr(self, name)(path if name in ("read", "write", "fsync", "release", "flush") else real(path), *more)
            except OSError as e:
                raise FuseOSError(e.errno) from e

        def getattr(self, path, handle=None):
            status = os.lstat(path)
            times = {f"st_{kind}time": getattr(status, f"st_{kind}time_ns") for kind in "amc"}
            return {key: getattr(status, key) for key in ("st_mode", "st_ino", "st_nlink", "st_size", "st_uid", "st_gid")} | times

        def readdir(self, path, handle):
            return [".", "..", *os.listdir(path)]

        def open(self, path, flags):
            return os.open(path, flags)

        def create(self, path, mode, info=None):
            return os.open(path, os.O_RDWR | os.O_CREAT, mode)

        def read(self, path, size, offset, handle):
            return os.pread(handle, size, offset)

        def write(self, path, data, offset, handle):
            return os.pwrite(handle, data, offset)

        def truncate(self, path, length, handle=None):
            os.truncate(path, length)

        def rename(self, path, new):
            os.rename(path, real(new))

        def release(self, path, handle):
            os.close(handle)

        def mkdir(self, path, mode):
            os.mkdir(path, mode)

        def unlink(self, path):
            os.unlink(path)

        def rmdir(self, path):
            os.rmdir(path)

        def chmod(self, path, mode):
            os.chmod(path, mode)

        def utimens(self, path, times=None):
            os.utime(path)

    FUSE(AnyCase(), place, foreground=True, nothreads=True, use_ino=True)


if __name__ == "__main__":
    serve(*map(os.path.realpath, sys.argv[1:]))
