"""The version, in a module of its own: asking importlib.metadata for it costs 34 ms at import."""

__version__ = "0.4.0.dev0"
