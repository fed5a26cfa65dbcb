# SPDX-License-Identifier: MIT
"""What the tests of kiln-pcc share: shaders as SPIR-V, folders of pipelines, runs of the program."""
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir, "corpus"))
import modules  # pylint: disable=wrong-import-position

import check
import pipelines
import rejects

HERE = os.path.dirname(os.path.abspath(__file__))
KILN_PCC = ""  # use() sets it
BUILD = ""  # the folder of the build


def use(folder):
    """FOLDER has the programs of a build."""
    global KILN_PCC, BUILD  # pylint: disable=global-statement
    KILN_PCC = os.path.join(os.path.abspath(folder), "kiln-pcc")
    BUILD = os.path.dirname(os.path.abspath(folder))


def copy_shaders(folder):
    """Every shader of shaders/ as FILE.spv, into a folder that may exist. They are made once for all tests."""
    made = os.path.join(BUILD, "test", "pcc", "shaders")
    os.makedirs(made, exist_ok=True)
    os.makedirs(folder, exist_ok=True)
    for file in sorted(os.listdir(os.path.join(HERE, "shaders"))):
        target = os.path.join(made, file + ".spv")
        command = ("spirv-as --target-env vulkan1.1" if file.endswith(".spvasm") else
                   "glslangValidator -V --target-env vulkan1.2")
        error = modules.build(os.path.join(HERE, "shaders", file), command, target)
        if error:
            raise RuntimeError(error)
        shutil.copyfile(target, os.path.join(folder, file + ".spv"))


def run(*arguments, environment=None, folder=None):
    """kiln-pcc with these arguments; a CompletedProcess with text."""
    return subprocess.run([KILN_PCC, *arguments], check=False, text=True, cwd=folder,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=1800,
                          env={**os.environ, **(environment or {})}, stdin=subprocess.DEVNULL)


def read(path):
    with open(path, "rb") as file:
        return file.read()


def write(path, content):
    with open(path, "wb") as file:
        file.write(content.encode() if isinstance(content, str) else content)


class Case(unittest.TestCase):
    """Each test has a folder of its own: self.folder, with inputs in self.inputs."""
    maxDiff = None

    def setUp(self):  # pylint: disable=invalid-name
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = temporary.name
        self.inputs = os.path.join(self.folder, "in")
        copy_shaders(self.inputs)
        os.mkdir(os.path.join(self.inputs, "a b"))
        shutil.copyfile(os.path.join(self.inputs, "plain.comp.spv"),
                        os.path.join(self.inputs, "a b", "plain copy.spv"))

    def path(self, name):
        return os.path.join(self.folder, name)

    def add(self, *texts):
        """(file name, text) of pipelines into the folder of inputs."""
        for name, text in texts:
            write(os.path.join(self.inputs, name), text)

    def add_all(self):
        self.add(*pipelines.all_texts())

    def add_some(self, count=5):
        self.add(*list(pipelines.all_texts())[:count])

    def add_rejects(self):
        self.add(*rejects.all_rejects())
        plain = read(os.path.join(self.inputs, "plain.comp.spv"))
        for name, data in rejects.damaged_files(plain):
            write(os.path.join(self.inputs, name), data)

    def compile(self, *arguments, out="out.bin", **keywords):
        """Compiles the folder; everything must be good. Returns the checked cache."""
        done = run("--path", self.inputs, "--out", self.path(out), *arguments, **keywords)
        self.assertEqual(done.returncode, 0, done.stderr)
        return check.check(read(self.path(out)))

    def refuse(self, *arguments):
        """A run that must fail; returns what it says."""
        done = run(*arguments)
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        return done.stderr


def names_of_all():
    return sorted(name for name, _ in pipelines.all_texts())


def main(module):
    """Runs the tests of a module; the exit code."""
    suite = unittest.defaultTestLoader.loadTestsFromModule(module)
    result = unittest.TextTestRunner(stream=sys.stdout, verbosity=1).run(suite)
    return 0 if result.wasSuccessful() and result.testsRun else 1
