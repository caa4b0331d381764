"""Why SDFormat cannot hold something of the tables of a scene: materials, assets, sensors, rules and the like."""

from __future__ import annotations

from converters.format import Loss
from converters.report.reasons import after, all_of, any_of, edited, foreign_to, of_axis, rounded, unsaid
from converters.sdf.parts.materials import BLACK
from converters.sdf.parts.sensors import FAR, HEIGHT, NEAR, WIDTH
from converters.sdf.reasons import (
    after_another,
    alone,
    as_diffuse,
    behind_joint,
    beside_held,
    elsewhere_or_unused,
    empty,
    in_other_order,
    in_own_word,
    in_static,
    in_their_places,
    jointless,
    misplaced,
    of_camera,
    of_no_role,
    of_no_words,
    of_refused_block,
    older_than,
    pathless,
    repainted,
    said_twice,
    scripted,
    sightless,
    some_block,
    unfelt,
    unshown,
)
from converters.sdf.tables import FRAMES
from ir.types import WHITE

CUSTOM = "SDFormat has no place for it"
PAIRS = (
    "SDFormat knows no pairs: the two links of a joint never collide there, and other pairs that would are said by "
    "bits of their geoms, where nothing else gives these and 16 bits do"
)
FOREIGN = "not converted: SDFormat has nothing that is known to mean this"


OF_TABLES = (
    Loss(
        "order.sensor",
        "sdf/order",
        "a sensor stands in its link or joint: measurements come in the order of these",
        "note",
        when=in_their_places,
    ),
    Loss(
        "order.body",
        "sdf/order",
        "what no joint holds stands where its model does, apart from what one holds",
        "note",
        when=beside_held,
    ),
    Loss("material.name absent", "sdf/material-name", "materials have no names in SDFormat", "note"),
    Loss(
        "material.rgba different, material.ambient extra, material.specular extra, material.emissive extra",
        "sdf/material-colour",
        "what bears it has another colour in SDFormat (<gazebo> says so)",
        when=some_block,
    ),
    Loss(
        "material.ambient absent",
        "sdf/material-colour",
        "an ambient colour that is that of the diffuse light is what a material of SDFormat has that says no other",
        "note",
        when=as_diffuse,
    ),
    Loss(
        "material.rgba extra",
        "sdf/script-colour",
        "the material of Gazebo that a block of the source names has this colour, where the source gives it none",
        "note",
        when=scripted,
    ),
    Loss(
        "material.texture",
        "sdf/texture",
        "a texture of SDFormat is an image file laid out by texture coordinates: none without a file, and none around "
        "a cube",
        when=pathless,
    ),
    Loss(
        "material.rgba extra, material.metallic extra, material.roughness extra",
        "sdf/material-plain",
        "what a material of SDFormat says where the source is silent: white, or black beside what else it says, no "
        "metal, half rough",
        "note",
        when=after(WHITE, BLACK, 0.0, 0.5),
    ),
    Loss(
        "material absent",
        "sdf/material-name",
        "materials have no names in SDFormat: each geom says its own",
        "note",
        when=unshown,
    ),
    Loss(
        "material extra",
        "sdf/material-name",
        "materials have no names in SDFormat: each geom says its own",
        "note",
        when=repainted,
    ),
    Loss(
        "material.double_sided absent",
        "sdf/material-version",
        "SDFormat knows surfaces seen from both sides since 1.7",
        when=older_than(FRAMES),
    ),
    Loss(
        "material.shininess absent",
        "sdf/material-version",
        "SDFormat knows the exponent of shininess since 1.7",
        when=older_than(FRAMES),
    ),
    Loss(
        "material.reflectance absent, material.maps absent, material.repeat absent, material.parameters absent",
        "sdf/material",
        "SDFormat's material has no such property",
    ),
    Loss(
        "material.maps.*",
        "sdf/material-images",
        "SDFormat says the images of a material in an order of its own",
        "note",
        "derived",
        in_other_order,
    ),
    Loss("material.maps different", "sdf/material", "SDFormat's material has no such property", when=of_no_role),
    Loss("material*", "sdf/material", "SDFormat's material has no such property", when=edited),
    Loss("asset.uri", "sdf/asset-place", "the file was put beside the output and is named there", "note", "derived"),
    Loss("asset.kind", "sdf/asset-kind", "used in another way in the output", "note"),
    Loss("asset.parameters absent", "sdf/asset-parameters", CUSTOM),
    Loss(
        "asset absent",
        "sdf/asset-not-written",
        "the file was not found, nothing in the output uses it, or it is there under another name",
        when=elsewhere_or_unused,
    ),
    Loss(
        "asset extra",
        "sdf/collision-mesh",
        "made for a shape that this version lacks, or for collisions in a format that every simulator reads",
        "note",
    ),
    Loss(
        "actuator absent",
        "sdf/second-actuator",
        "systems of Gazebo that command one joint overwrite each other: the first actuator of the joint has one, and "
        "this is another",
        when=after_another,
    ),
    Loss("actuator absent", "sdf/actuator", CUSTOM),
    Loss("transmission absent", "sdf/transmission", CUSTOM),
    Loss("hardware absent", "sdf/hardware", CUSTOM),
    Loss("sensor extra", "sdf/camera", "a camera of SDFormat is a sensor", "note", when=of_camera),
    Loss(
        "sensor absent",
        "sdf/sensor",
        "SDFormat, or the version that is written (see --sdf-version), has no sensor of this kind, or none in this "
        "place: the world has none, and forces are measured at fixed joints and joints of one axis only",
        when=misplaced,
    ),
    Loss(
        "sensor.body extra",
        "sdf/sensor-joint",
        "what measures at a joint of SDFormat measures on the link behind it",
        "note",
        "derived",
        behind_joint,
    ),
    Loss(
        "sensor.target", "sdf/name", "a joint of one axis has the name of that axis in SDFormat", "note", when=of_axis
    ),
    Loss(
        "sensor.target absent, sensor.frame absent, sensor.reaction absent, sensor.noise absent",
        "sdf/sensor-joint",
        "what acts in a joint is measured at one of its own, and its noise said since 1.7 (see --sdf-version): what "
        "nothing holds, or a chain holds, has none",
        when=any_of(jointless, older_than(FRAMES)),
    ),
    Loss("sensor.camera absent", "sdf/sensor", "no sensor of this kind sees in SDFormat", when=sightless),
    Loss(
        "sensor.camera.sensor_size absent, sensor.camera.aspect absent, sensor.camera.orthographic absent, "
        "sensor.camera.span absent",
        "sdf/camera",
        "a camera of SDFormat sees in perspective, in pixels",
    ),
    Loss(
        "sensor.camera.width extra, sensor.camera.height extra, sensor.camera.near extra, sensor.camera.far extra",
        "sdf/camera-image",
        "an image of SDFormat has a size, and planes that clip it: those of a camera that does not say them",
        "note",
        when=after(WIDTH, HEIGHT, NEAR, FAR),
    ),
    Loss(
        "sensor.camera.pixel_format",
        "sdf/pixels",
        "pixels have words of their own in SDFormat, and those of a camera that does not say them are R8G8B8",
        "note",
        "derived",
        in_own_word,
    ),
    Loss(
        "sensor.camera.fov_y, sensor.camera.aspect, sensor.camera.principal",
        "sdf/camera-angle",
        "an angle across, and numbers of a lens in pixels, which differ in the last digit",
        "note",
        when=rounded,
    ),
    Loss("tendon absent", "sdf/tendon", CUSTOM),
    Loss("contact absent", "sdf/contact", PAIRS),
    Loss("keyframe absent", "sdf/keyframe", FOREIGN),
    Loss(
        "group absent, end_effector absent, approximation absent, joint.frame absent, joint.passive absent, "
        "joint.properties absent, loop.passive absent, loop.properties absent, loop.frame absent",
        "sdf/planning",
        CUSTOM,
    ),
    Loss("physics extra", "sdf/world-settings", "a world of SDFormat has settings of its own", "note"),
    Loss("physics.parameters absent", "sdf/physics", FOREIGN),
    Loss(
        "physics absent", "sdf/physics", "a model that stands alone has no world, whose settings these are", when=alone
    ),
    Loss("physics*", "sdf/physics", FOREIGN, when=edited),
    Loss(
        "sensor absent, sensor.kind, sensor.rate, sensor.pose*",
        "sdf/sensor",
        "libsdformat refuses two sensors of one name in one place: that of a <gazebo> block counts",
        when=said_twice,
    ),
    Loss(
        "sensor.kind",
        "sdf/sensor-kind",
        "a sensor of SDFormat has a type",
        "note",
        when=all_of(unsaid, after("custom")),
    ),
    Loss("sensor*", "sdf/sensor", "sensors differ between the formats", when=edited),
    Loss("scope extra", "sdf/scope", "models of SDFormat", "note"),
    Loss(
        "scope.canonical absent",
        "sdf/scope-version",
        "which link stands for a model is said since SDF 1.7 (see --sdf-version)",
        when=older_than(FRAMES),
    ),
    Loss(
        "scope absent",
        "sdf/scope",
        "a model that is to move (--base) is not static, and before SDF 1.7 says no link that stands for it",
        "note",
        when=of_no_words,
    ),
    Loss(
        "scope.static",
        "sdf/static",
        "what is in a model of SDFormat that stands still stands still",
        "note",
        when=in_static,
    ),
    Loss(
        "sensor.touching",
        "sdf/contact-names",
        "a sensor of contact names what collides of its own link, as far as that is written",
        when=unfelt,
    ),
    Loss("scope absent", "sdf/empty-model", "a model of SDFormat that is not static has a link in it", when=empty),
    Loss("scope*", "sdf/scope", "models of SDFormat", "note", when=edited),
    Loss(
        "block absent",
        "sdf/block-refused",
        "something in it is no valid SDFormat (validate tells where): libsdformat refuses the whole URDF for it, and "
        "the output is without",
        when=of_refused_block,
    ),
    Loss("block absent", "sdf/simulator-block", CUSTOM, when=foreign_to("sdf")),
)
