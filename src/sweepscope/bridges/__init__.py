"""Classes with the names that users of other libraries know, made of the library's own verbs."""

from .collision_data import ContactData, DistanceData
from .collision_manager import CollisionManager

__all__ = ["CollisionManager", "ContactData", "DistanceData"]
