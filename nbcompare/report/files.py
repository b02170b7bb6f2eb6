"""Write files whole or not at all."""

from nbcompare._files import check_target, write_all, write_whole

__all__ = ["check_target", "write_all", "write_whole"]
