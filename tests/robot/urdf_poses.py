"""Where the links of a URDF file are, from the standard's definitions, by quaternions; shares no code with the library."""

import math
from xml.etree import ElementTree

import numpy as np


def link_poses(path, values):
    """Poses of all links by name, shape (4, 4), in the root's frame; values: of joints that lead."""
    root = ElementTree.parse(path).getroot()
    joints = {joint.get("name"): joint for joint in root.findall("joint")}
    carried = {joint.find("child").get("link"): joint for joint in joints.values()}
    return {link.get("name"): _pose(link.get("name"), carried, joints, values) for link in root.findall("link")}


def _pose(link, carried, joints, values):
    if link not in carried:
        return np.eye(4)
    joint = carried[link]
    above = _pose(joint.find("parent").get("link"), carried, joints, values)
    return above @ _origin(joint.find("origin")) @ _moved(joint, _value(joint.get("name"), joints, values))


def _value(name, joints, values):
    mimic = joints[name].find("mimic")
    if mimic is None:
        return values.get(name, 0.0)
    leader = _value(mimic.get("joint"), joints, values)
    return float(mimic.get("multiplier", "1")) * leader + float(mimic.get("offset", "0"))


def _moved(joint, value):
    element = joint.find("axis")
    axis = np.array(_three(None if element is None else element.get("xyz"), "1 0 0"))
    axis /= math.sqrt(axis @ axis)
    matrix = np.eye(4)
    if joint.get("type") == "prismatic":
        matrix[:3, 3] = value * axis
    elif joint.get("type") != "fixed":
        matrix[:3, :3] = _turn(axis, value)
    return matrix


def _origin(element):
    matrix = np.eye(4)
    if element is not None:
        for axis, angle in zip(np.eye(3), _three(element.get("rpy"), "0 0 0"), strict=True):
            matrix[:3, :3] = _turn(axis, angle) @ matrix[:3, :3]
        matrix[:3, 3] = _three(element.get("xyz"), "0 0 0")
    return matrix


def _three(text, rest):
    return [float(word) for word in (text or rest).split()]


def _turn(axis, angle):
    """v + 2 w (u x v) + 2 u x (u x v), for the three axes v."""
    u, w = math.sin(angle / 2) * axis, math.cos(angle / 2)
    return np.array([v + 2 * w * np.cross(u, v) + 2 * np.cross(u, np.cross(u, v)) for v in np.eye(3)]).T
