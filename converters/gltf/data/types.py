"""What a document is made of (glTF 2.0, 5), as far as it is written, with members in the order in which they stand.

A member that is at its default here says nothing (plain). pygltflib has such types, too, each with a parser that is
made when they are loaded, which takes a seventh of the time of a whole `kinegraph convert robot.urdf robot.glb`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Struct


class Property(Struct, kw_only=True):
    """What every item may say besides its own members."""

    extensions: dict[str, Any] = {}
    extras: dict[str, Any] = {}


class Asset(Property, kw_only=True):
    generator: str
    version: str


class Buffer(Property, kw_only=True):
    uri: str | None = None
    byteLength: int


class BufferView(Property, kw_only=True):
    buffer: int
    byteOffset: int = 0
    byteLength: int
    byteStride: int | None = None
    target: int | None = None


class Accessor(Property, kw_only=True):
    bufferView: int | None = None
    componentType: int
    normalized: bool = False
    count: int
    type: str
    max: list[float] = []
    min: list[float] = []


class Primitive(Property, kw_only=True):
    attributes: Mapping[str, int]
    indices: int
    material: int


class Mesh(Property, kw_only=True):
    primitives: list[Primitive]
    name: str


class Node(Property, kw_only=True):
    mesh: int | None = None
    rotation: list[float] | None = None
    translation: list[float] | None = None
    scale: list[float] | None = None
    children: list[int] = []
    camera: int | None = None
    name: str


class Scene(Property, kw_only=True):
    name: str
    nodes: list[int]


class Orthographic(Property, kw_only=True):
    xmag: float
    ymag: float
    zfar: float
    znear: float


class Perspective(Property, kw_only=True):
    aspectRatio: float | None
    yfov: float
    zfar: float | None
    znear: float


class Camera(Property, kw_only=True):
    perspective: Perspective | None = None
    orthographic: Orthographic | None = None
    type: str
    name: str


class Image(Property, kw_only=True):
    uri: str | None = None
    mimeType: str | None = None
    bufferView: int | None = None
    name: str


class Texture(Property, kw_only=True):
    source: int
    name: str | None


class TextureInfo(Property, kw_only=True):
    index: int


class PbrMetallicRoughness(Property, kw_only=True):
    baseColorFactor: tuple[float, float, float, float] = (1.0, 1.0, 1.0, 1.0)
    metallicFactor: float = 1.0
    roughnessFactor: float = 1.0
    baseColorTexture: TextureInfo | None = None
    metallicRoughnessTexture: TextureInfo | None = None


class Material(Property, kw_only=True):
    pbrMetallicRoughness: PbrMetallicRoughness
    normalTexture: TextureInfo | None = None
    occlusionTexture: TextureInfo | None = None
    emissiveFactor: tuple[float, float, float] = (0.0, 0.0, 0.0)
    emissiveTexture: TextureInfo | None = None
    alphaMode: str = "OPAQUE"
    alphaCutoff: float | None = None
    doubleSided: bool = False
    name: str


class AnimationChannelTarget(Property, kw_only=True):
    node: int
    path: str


class AnimationChannel(Property, kw_only=True):
    sampler: int
    target: AnimationChannelTarget


class AnimationSampler(Property, kw_only=True):
    input: int
    output: int


class Animation(Property, kw_only=True):
    name: str
    channels: list[AnimationChannel] = []
    samplers: list[AnimationSampler] = []


class Document(Property, kw_only=True):
    accessors: list[Accessor] = []
    animations: list[Animation] = []
    asset: Asset
    bufferViews: list[BufferView] = []
    buffers: list[Buffer] = []
    cameras: list[Camera] = []
    extensionsUsed: list[str] = []
    extensionsRequired: list[str] = []
    images: list[Image] = []
    materials: list[Material] = []
    meshes: list[Mesh] = []
    nodes: list[Node] = []
    scene: int
    scenes: list[Scene] = []
    textures: list[Texture] = []
