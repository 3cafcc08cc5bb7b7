"""The service and its page: ``docbats serve``."""
