"""Which elements and attributes SDFormat 1.12 has inside which, and since when."""

from __future__ import annotations

from functools import cache

INSIDE = """
acceleration: @degrees
actor: @name animation joint link plugin pose script skin
air_pressure: pressure reference_altitude
air_speed: pressure
altimeter: vertical_position vertical_velocity
angle: @axis
angular_acceleration: @degrees
angular_velocity: @degrees x y z
animation: @name filename interpolate_x scale
atmosphere: @type pressure temperature temperature_gradient
attenuation: constant linear quadratic range
audio: device
audio_source: contact gain loop pitch pose uri
axis: dynamics limit mimic xyz
axis2: dynamics limit mimic xyz
axis2_state: acceleration effort position velocity
axis_state: acceleration effort position velocity
battery: @name voltage
blend: fade_dist min_height
bounce: restitution_coefficient threshold
box: size
bullet: constraints fdir1 friction friction2 kd kp rolling_friction soft_cfm soft_erp solver split_impulse
    split_impulse_penetration_threshold
camera: @name box_type camera_info_topic clip depth_camera distortion horizontal_fov image lens noise optical_frame_id
    pose projection_type save segmentation_type track_visual trigger_topic triggered view_controller visibility_mask
capsule: length radius
clip: far near
clouds: ambient direction humidity mean_size speed
collision: @name auto_inertia_params density geometry laser_retro max_contacts pose surface
collision_state: @name
cone: length radius
constraints: cfm contact_max_correcting_vel contact_surface_layer erp split_impulse
    split_impulse_penetration_threshold
contact: bullet category_bitmask collide_bitmask collide_without_contact collide_without_contact_bitmask collision
    dissipation dynamic_friction elastic_modulus ode override_impact_capture_velocity
    override_stiction_transition_velocity plastic_coef_restitution plastic_impact_velocity poissons_ratio
    static_friction stiffness topic viscous_friction
convex_decomposition: max_convex_hulls voxel_resolution
custom_function: c1 c2 c3 f fun
custom_rpy: @parent_frame
cylinder: length radius
dart: bone_attachment collision_detector damping flesh_mass_fraction solver stiffness
deletions: name
depth_camera: clip output
distortion: center k1 k2 k3 p1 p2
distribution: cols rows step type
dynamics: damping friction spring_reference spring_stiffness
ellipsoid: radii
fluid_added_mass: pp pq pr qq qr rr xp xq xr xx xy xz yp yq yr yy yz zp zq zr zz
fog: color density end start type
force: x y z
force_torque: force frame measure_direction torque
frame: @attached_to @name pose
friction: bullet ode torsional
geometry: box capsule cone cylinder ellipsoid empty heightmap image mesh plane polyline sphere
gps: position_sensing velocity_sensing
grasp_check: attach_steps detach_steps min_contact_count
grav_dir_x: @parent_frame
gripper: @name grasp_check gripper_link palm_link
gui: @fullscreen camera plugin
heightmap: blend pos sampling size texture uri use_terrain_paging
horizontal: max_angle min_angle noise resolution samples
image: anti_aliasing format granularity height scale threshold uri width
imu: angular_velocity enable_orientation linear_acceleration orientation_reference_frame
include: @merge model_state name namespace placement_frame plugin pose static uri
inertia: ixx ixy ixz iyy iyz izz
inertial: @auto auto_inertia_params density fluid_added_mass inertia mass pose
insertions: joint light model
intrinsics: cx cy fx fy s
joint: @name @type axis axis2 child gearbox_ratio gearbox_reference_body parent physics pose screw_thread_pitch sensor
    thread_pitch
joint_state: @name angle axis2_state axis_state
lens: custom_function cutoff_angle env_texture_size intrinsics projection scale_to_hfov type
lidar: noise range scan visibility_mask
light: @name @type attenuation cast_shadows diffuse direction intensity light_on pose specular spot visualize
light_map: @uv_set
light_state: @name pose
limit: cfm dissipation effort erp lower stiffness upper velocity
linear_acceleration: x y z
link: @name audio_sink audio_source battery collision enable_wind gravity inertial kinematic light must_be_base_link
    particle_emitter pose projector self_collide sensor velocity_decay visual
link_state: @name acceleration angular_acceleration angular_velocity collision_state force linear_acceleration
    linear_velocity pose torque velocity wrench
logical_camera: aspect_ratio far horizontal_fov near
magnetometer: x y z
material: ambient diffuse double_sided emissive lighting pbr render_order script shader shininess specular
mesh: @optimization convex_decomposition scale submesh uri
meta: layer
metal: albedo_map ambient_occlusion_map emissive_map environment_map light_map metalness metalness_map normal_map
    roughness roughness_map
mimic: @axis @joint multiplier offset reference
model: @canonical_link @name @namespace @placement_frame allow_auto_disable enable_wind frame gripper include joint
    link model model_state plugin pose self_collide static
model_state: @name frame joint_state link_state model_state pose scale
navsat: position_sensing velocity_sensing
noise: @type bias_mean bias_stddev dynamic_bias_correlation_time dynamic_bias_stddev mean precision stddev type
normal_map: @type
ode: bounce cfm cfm_damping constraints erp fdir1 fudge_factor implicit_spring_damper kd kp limit max_force max_vel
    min_depth mu mu2 slip slip1 slip2 soft_cfm soft_erp solver suspension velocity
orientation_reference_frame: custom_rpy grav_dir_x localization
particle_emitter: @name @type color_end color_range_image color_start duration emitting lifetime material max_velocity
    min_velocity particle_scatter_ratio particle_size pose rate scale_rate size topic
pbr: metal specular
physics: @default @name @type bullet dart max_contacts max_step_size ode provide_feedback real_time_factor
    real_time_update_rate simbody
plane: normal size
plugin: @filename @name
polyline: height point
population: @name box cylinder distribution model model_count pose
pose: @degrees @relative_to @rotation_format
position: @degrees
position_sensing: horizontal vertical
pressure: noise
projection: p_cx p_cy p_fx p_fy tx ty
projector: @name far_clip fov near_clip plugin pose texture visibility_flags
range: max min resolution
ray: noise range scan visibility_mask
road: @name material point width
save: @enabled path
scan: horizontal vertical
scene: ambient background fog grid origin_visual shadows sky
script: auto_start delay_start loop name trajectory uri
sdf: @version actor light model world
sensor: @name @type air_pressure air_speed altimeter always_on camera contact enable_metrics force_torque frame_id gps
    imu lidar logical_camera magnetometer navsat plugin pose ray rfid rfidtag sonar topic transceiver update_rate
    visualize
shader: @type normal_map
simbody: accuracy contact max_transient_velocity min_step_size must_be_loop_joint
skin: filename scale
sky: clouds cubemap_uri sunrise sunset time
soft_contact: dart
solver: friction_model island_threads iters min_step_size precon_iters solver_type sor thread_position_correction type
    use_dynamic_moi_rescaling
sonar: geometry max min radius
specular: albedo_map ambient_occlusion_map emissive_map environment_map glossiness glossiness_map light_map normal_map
    specular_map
sphere: radius
spherical_coordinates: elevation heading_deg latitude_deg longitude_deg surface_axis_equatorial surface_axis_polar
    surface_model world_frame_orientation
spot: falloff inner_angle outer_angle
state: @world_name deletions insertions iterations joint_state light_state model_state real_time sim_time wall_time
submesh: center name
surface: bounce contact friction soft_contact
suspension: cfm erp
texture: diffuse normal size
torque: x y z
torsional: coefficient ode patch_radius surface_radius use_patch_radius
track_visual: inherit_yaw max_dist min_dist name static use_model_frame xyz
trajectory: @id @tension @type waypoint
transceiver: essid frequency gain max_frequency min_frequency power sensitivity
velocity: @degrees
velocity_decay: angular linear
velocity_sensing: horizontal vertical
vertical: max_angle min_angle noise resolution samples
vertical_position: noise
vertical_velocity: noise
visual: @name cast_shadows geometry laser_retro material meta plugin pose transparency visibility_flags
waypoint: pose time
wind: linear_velocity
world: @name actor atmosphere audio frame gravity gui include joint light magnetic_field model physics plugin
    population road scene spherical_coordinates state wind
x: noise
xyz: @expressed_in
y: noise
z: noise
"""
"""Element: its children, and its attributes with an @. Elements of one name in several places count as one."""

SINCE = """
1.7 camera: optical_frame_id visibility_mask
1.7 force_torque: force torque
1.7 frame: @attached_to
1.7 lens: projection
1.7 material: double_sided render_order shininess
1.7 metal: light_map
1.7 model: @canonical_link frame
1.7 pose: @relative_to
1.7 sensor: enable_metrics
1.7 specular: light_map
1.7 visual: visibility_flags
1.7 world: frame
1.7 xyz: @expressed_in
1.8 geometry: capsule ellipsoid
1.8 include: placement_frame
1.8 light: intensity
1.8 model: @placement_frame
1.9 camera: box_type segmentation_type trigger_topic triggered
1.9 include: @merge
1.9 pose: @degrees @rotation_format
1.9 sensor: =boundingbox =boundingbox_camera =segmentation =segmentation_camera
1.9 sky: cubemap_uri
1.10 inertial: fluid_added_mass
1.10 joint: screw_thread_pitch
1.10 sensor: =air_speed air_speed
1.10 spherical_coordinates: surface_axis_equatorial surface_axis_polar
1.10 world: joint
1.11 axis: mimic
1.11 axis2: mimic
1.11 collision: auto_inertia_params density
1.11 geometry: cone
1.11 include: namespace
1.11 inertial: @auto auto_inertia_params density
1.11 mesh: @optimization convex_decomposition
1.11 model: @namespace
1.12 include: model_state
1.12 insertions: joint
1.12 model: model_state
1.12 sensor: frame_id
1.12 state: joint_state light_state model_state
"""
"""Version and element: its children, attributes (@) and types (=) that came with that version, from 1.7 on.

What a version took over from an earlier library, or what nobody knows the version of, is not listed: it is let be.
"""

NEEDED = """
animation: filename
attenuation: range
audio: device
audio_source: uri
axis: xyz
axis2: xyz
battery: voltage
blend: fade_dist min_height
box: size
bullet: split_impulse split_impulse_penetration_threshold
camera: horizontal_fov
capsule: length radius
clip: far near
constraints: cfm contact_max_correcting_vel contact_surface_layer erp split_impulse
    split_impulse_penetration_threshold
contact: collision topic
custom_function: fun
cylinder: length radius
dart: bone_attachment damping flesh_mass_fraction stiffness
depth_camera: output
distribution: type
dynamics: spring_reference spring_stiffness
ellipsoid: radii
gripper: palm_link
heightmap: uri
horizontal: max_angle min_angle resolution samples
image: granularity height scale threshold uri width
include: uri
inertia: ixx ixy ixz iyy iyz izz
intrinsics: cx cy fx fy s
joint: child parent
lens: scale_to_hfov type
light: direction
limit: cfm erp lower upper
logical_camera: aspect_ratio far horizontal_fov near
mesh: uri
noise: type
orientation_reference_frame: localization
physics: max_step_size real_time_factor real_time_update_rate
plane: normal size
polyline: height
population: model_count
projector: texture
range: max min
road: width
save: path
scene: ambient background shadows
script: name
skin: filename
solver: iters solver_type sor type use_dynamic_moi_rescaling
sonar: max min
sphere: radius
spherical_coordinates: elevation heading_deg latitude_deg longitude_deg surface_model
spot: falloff inner_angle outer_angle
state: iterations
submesh: name
suspension: cfm erp
texture: diffuse normal size
transceiver: gain power
vertical: max_angle min_angle samples
waypoint: pose time
world: gravity magnetic_field
"""
"""Element: its children that need a value where they are (required="1" in the descriptions of libsdformat 12)."""

FREE = frozenset({"plugin"})
"""Elements that hold what their author likes."""


def knows(owner: str, name: str) -> bool:
    """Whether an element may have a child of that name, or with an @ in front an attribute."""
    return owner in FREE or name in _table(INSIDE).get(owner, ())


def since(owner: str, name: str) -> tuple[int, int]:
    """The version that brought a child of an element; name as in knows, or a type with a = in front."""
    return _since().get((owner, name), (1, 0))


@cache
def _since() -> dict[tuple[str, str], tuple[int, int]]:
    found: dict[tuple[str, str], tuple[int, int]] = {}
    for row in SINCE.strip().splitlines():
        version, owner, names = row.split(" ", 2)
        major, minor = version.split(".")
        found |= {(owner.rstrip(":"), name): (int(major), int(minor)) for name in names.split()}
    return found


def needs(owner: str, name: str) -> bool:
    """Whether a child of an element may not be empty. Of others that says the default."""
    return name in _table(NEEDED).get(owner, ())


@cache
def _table(text: str) -> dict[str, frozenset[str]]:
    rows = text.replace("\n    ", " ").strip().splitlines()
    return {owner: frozenset(names.split()) for owner, _, names in (row.partition(":") for row in rows)}
