// What converters/viewer/model.py writes. SI units, radians; quaternions are w x y z.

export type Vec3 = [number, number, number];
export type Quat = [number, number, number, number];
export type Pose = { pos: Vec3; rot: Quat };

export type Mimic = { dof: string; multiplier: number; offset: number; reference: number };

export type Dof = {
  name: string;
  kind: 'hinge' | 'slide' | 'screw' | 'ball' | 'free';
  axis: Vec3;
  anchor: Vec3;
  lower: number | null;
  upper: number | null;
  zero: number;
  pitch: number;
  mimic?: Mimic;
  effort?: number;
  velocity?: number;
  damping?: number;
  friction?: number;
  armature?: number;
};

export type Joint = Pose & { name: string; parent: number; child: number; dofs: Dof[]; loop?: boolean };
export type Geom = { name: string; role: string; shape: string; material?: string; missing?: string };
export type Inertial = Pose & {
  mass: number;
  tensor: number[];
  box?: { size: Vec3; rotation: Quat };
};
export type Body = { name: string; geoms: Geom[]; inertial?: Inertial; frames?: (Pose & { name: string })[] };
export type Constraint = { name: string; kind: string; first: number; second: number };
/** Coordinates by dof: one number, four of a ball (w x y z), seven of a free dof (x y z w x y z). */
export type Values = Record<string, number[]>;
export type NamedPose = { name: string; values: Values };
/** A track with a single sample stands still. */
export type Motion = { name: string; times: number[]; tracks: Record<string, number[][]> };

export type Model = {
  name: string;
  file: string;
  format: string;
  bodies: Body[];
  joints: Joint[];
  /** Parents first: the joint that holds a body (-1: none), and the body. */
  order: [number, number][];
  constraints: Constraint[];
  start: Values;
  motions: Motion[];
  poses: NamedPose[];
};

export type Finding = {
  rule: string;
  action: string;
  severity: string;
  where: string;
  before: string;
  after: string;
  reason: string;
  count: number;
  sources: { file: string; line: number; path: string }[];
};
/** What the reader of the source had no meaning for, and kept. */
export type Unread = { where: string; text: string; items: number; source: string };
export type Difference = { what: string; where: string; first: string; second: string; by: string | null };
export type Report = {
  source: string;
  target: string;
  totals: Record<string, number>;
  findings: Finding[];
  more: number;
  unread: Unread[];
  moreUnread: number;
};
export type Data = { models: Model[]; differences: Difference[]; report: Report };

export type Role = 'visual' | 'collision' | 'both';
/** What the user looks at; every change is told to those who listen. */
export type Look = {
  role: Role;
  opacity: number;
  frames: boolean;
  axes: boolean;
  masses: boolean;
  inertias: boolean;
  grid: boolean;
  degrees: boolean;
  dark: boolean;
  beside: boolean;
};
