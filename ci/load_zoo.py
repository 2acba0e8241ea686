"""ci/zoo as a module: how a patch gets into a copy of the tree, how that copy is built, and the project of one case."""
import importlib.machinery
import importlib.util
import pathlib


def load_zoo():
    path = pathlib.Path(__file__).resolve().parent / "zoo"
    loader = importlib.machinery.SourceFileLoader("zoo", str(path))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("zoo", loader))
    loader.exec_module(module)
    return module
