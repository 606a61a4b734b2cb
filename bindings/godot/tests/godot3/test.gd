# All methods of FracasBody in the real Godot 3, without a window. Boxes are Godot's own, so triangles face the way that Godot
# has them.
extends SceneTree

var FracasBody = preload("res://fracas_body.gdns")
var failures := 0

func check(condition: bool, what: String) -> void:
	if not condition:
		failures += 1
		print("not so: ", what)

func near(a: float, b: float, tolerance: float) -> bool:
	return abs(a - b) <= tolerance

# What triangles enclose; positive if they are clockwise outside, as Godot's are.
func volume_of(arrays: Array) -> float:
	var six := 0.0
	var points: PoolVector3Array = arrays[Mesh.ARRAY_VERTEX]
	var corners: PoolIntArray = arrays[Mesh.ARRAY_INDEX]
	for k in range(0, corners.size(), 3):
		six -= points[corners[k]].dot(points[corners[k + 1]].cross(points[corners[k + 2]]))
	return six / 6.0

func _init() -> void:
	var mesh := CubeMesh.new()
	mesh.size = Vector3(0.4, 0.6, 0.2)
	var arrays := mesh.get_mesh_arrays()
	var volume := 0.4 * 0.6 * 0.2
	check(near(volume_of(arrays), volume, 1e-6), "Godot's own box is clockwise")

	var body = FracasBody.new()
	check(body.is_empty(), "a new body is empty")
	check(body.cook([arrays], 2000.0, 500), "it cooks: " + body.error())
	check(not body.is_empty(), "a cooked body is not empty")
	check(body.warnings() == 0, "nothing had to be repaired")

	# In two surfaces, one of them without normals and texture coordinates.
	var corners: PoolIntArray = arrays[Mesh.ARRAY_INDEX]
	var halves := [arrays.duplicate(), arrays.duplicate()]
	halves[0][Mesh.ARRAY_INDEX] = PoolIntArray(Array(corners).slice(0, 17))
	halves[1][Mesh.ARRAY_INDEX] = PoolIntArray(Array(corners).slice(18, corners.size() - 1))
	halves[1][Mesh.ARRAY_NORMAL] = null
	halves[1][Mesh.ARRAY_TEX_UV] = null
	var two = FracasBody.new()
	check(two.cook(halves, 2000.0, 500), "two surfaces: " + two.error())
	var surfaces: Array = two.drawing()
	check(surfaces.size() == 3 and surfaces[0][Mesh.ARRAY_INDEX].size() == 18 and surfaces[2].empty(), "both come back")
	check(near(volume_of(surfaces[0]) + volume_of(surfaces[1]), volume, 1e-5), "and enclose the box")

	drawn(body, volume)
	weighed(body, volume)
	broken(body, volume)
	queried(body)
	saved(body)
	wrong(body)
	simulated(body)

func drawn(body, volume: float) -> void:
	var surfaces: Array = body.drawing()
	check(surfaces.size() == 2, "one surface and the cracks")
	check(surfaces[1].empty(), "no cracks yet")
	check(near(volume_of(surfaces[0]), volume, 1e-5), "the drawing is clockwise, too")
	var points: PoolVector3Array = surfaces[0][Mesh.ARRAY_VERTEX]
	var normals: PoolVector3Array = surfaces[0][Mesh.ARRAY_NORMAL]
	check(normals.size() == points.size() and surfaces[0][Mesh.ARRAY_TEX_UV].size() == points.size(), "attributes of all vertices")
	for k in range(points.size()):
		check(normals[k].dot(points[k]) > 0.09, "a normal points inside")
	var made := ArrayMesh.new()
	made.add_surface_from_arrays(Mesh.PRIMITIVE_TRIANGLES, surfaces[0])
	check(made.get_surface_count() == 1, "Godot takes the arrays")

func weighed(body, volume: float) -> void:
	var found: Dictionary = body.mass()
	var mass := 2000.0 * volume
	check(near(found.mass, mass, 1e-3) and near(found.volume, volume, 1e-6), "mass and volume")
	check(found.centre.length() < 1e-4, "the centre")
	var moments := mass / 12.0 * Vector3(0.36 + 0.04, 0.04 + 0.16, 0.16 + 0.36)
	var inertia: Basis = found.inertia
	for axis in range(3):
		check(near(inertia[axis][axis], moments[axis], 1e-3 * moments[axis]), "moment %d" % axis)
	check(abs(inertia.x.y) + abs(inertia.y.z) + abs(inertia.z.x) < 1e-3, "a box has no products of inertia")

func broken(body, volume: float) -> void:
	for pieces in [body.fracture(12, 3, 0.0), body.fracture(6, 1, 0.02), body.fracture_at(Vector3(0.2, 0, 0), Vector3(-1, 0, 0), 0.2, 12, 5, 0.0),
			body.fracture_cells(PoolVector3Array([Vector3(0.1, 0.2, 0), Vector3(0.1, -0.2, 0), Vector3(-0.1, 0, 0)]))]:
		check(pieces.size() >= 3, "it breaks: " + body.error())
		var total := 0.0
		var mass := 0.0
		for piece in pieces:
			var surfaces: Array = piece.drawing()
			check(surfaces.size() == 2 and not surfaces[1].empty(), "a piece has cracks")
			for arrays in surfaces:
				total += 0.0 if arrays.empty() else volume_of(arrays)
			mass += piece.mass().mass
		check(near(total, volume, 1e-3 * volume), "the pieces fill the body: %f of %f" % [total, volume])
		check(near(mass, 2000.0 * volume, 1e-3), "the pieces weigh what the body did")
	var three: Array = body.fracture_cells(PoolVector3Array([Vector3(0.1, 0.2, 0), Vector3(0.1, -0.2, 0), Vector3(-0.1, 0, 0)]))
	check(three.size() == 3 and three[2].mass().centre.x < 0, "a cell holds its seed")
	# A piece of a box is convex: one collider, whose corners are those of the piece.
	for piece in body.fracture(12, 3, 0.0):
		var parts: Array = piece.convex_parts(8)
		check(parts.size() == 1, "a convex piece has one part")
		var drawn := PoolVector3Array()
		for arrays in piece.drawing():
			if not arrays.empty():
				drawn.append_array(arrays[Mesh.ARRAY_VERTEX])
		for corner in parts[0]:
			var nearest := 1e9
			for point in drawn:
				nearest = min(nearest, corner.distance_to(point))
			check(nearest < 1e-4, "a corner of the collider is %f m from the piece" % nearest)
		check(piece.fracture(4, 1, 0.0).size() == 4, "a piece breaks again")

func queried(body) -> void:
	# Turned by a quarter about z, the box is 0.6 wide in x and 0.4 high; the other one is above, 1 cm inside.
	var turned := Transform(Basis(Vector3(0, 0, 1), PI / 2), Vector3(50, 2, -30))
	var above := Transform(Basis(), Vector3(50, 2 + 0.2 + 0.3 - 0.01, -30))
	var contacts: Array = body.contacts(above, body, turned)
	check(contacts.size() >= 3, "contacts of two boxes")
	for contact in contacts:
		check(contact.normal.distance_to(Vector3(0, 1, 0)) < 1e-3, "normals point from the other towards this one")
		check(abs(contact.point.x - 50) < 0.21, "where both are")
	check(near(contacts[0].depth, 0.01, 1e-4) and near(contacts[0].point.y, 2.195, 1e-4), "the deepest is 1 cm deep, and midway")
	contacts = body.contacts_plane(Transform(Basis(), Vector3(0, 0.29, 0)), Vector3(0, 1, 0), 0.0)
	check(contacts.size() >= 3 and near(contacts[0].depth, 0.01, 1e-4) and contacts[0].normal.y > 0.999, "on the floor")
	contacts = body.contacts_ball(Transform(), Vector3(0.29, 0, 0), 0.1)
	check(contacts.size() >= 1 and near(contacts[0].depth, 0.01, 1e-3) and contacts[0].normal.x < -0.999, "a ball beside it")
	var apart := Transform(Basis(), Vector3(50, 3, -30))
	var found: Dictionary = body.distance(apart, body, turned, 10.0)
	check(near(found.distance, 0.5, 1e-4) and near(found.point.y - found.other_point.y, 0.5, 1e-4), "half a metre apart")
	check(body.distance(apart, body, turned, 0.1).empty(), "farther than 10 cm")
	var hit: Dictionary = body.sweep(apart, Transform(Basis(), Vector3(50, 2, -30)), body, turned, turned)
	check(near(hit.time, 0.5, 1e-3) and hit.normal.y > 0.99, "they meet halfway")
	check(body.sweep(apart, apart, body, turned, turned).empty(), "they do not meet")
	var ray: Dictionary = body.ray_cast(turned, Vector3(40, 2, -30), Vector3(1, 0, 0), 100.0)
	check(near(ray.distance, 9.7, 1e-4) and ray.normal.x < -0.999 and not ray.crack, "a ray")
	check(body.ray_cast(turned, Vector3(40, 5, -30), Vector3(1, 0, 0), 100.0).empty(), "a ray that misses")
	check(near(body.signed_distance(turned, Vector3(50, 2.15, -30)), -0.05, 1e-3), "5 cm inside")
	# Turned anyhow: points move with the body. All four ways to make a quaternion of a basis.
	for axis in [Vector3(1, 0.2, 0.1), Vector3(0.1, 1, 0.2), Vector3(0.2, 0.1, 1)]:
		for angle in [0.3, -1.2, 3.0]:
			var at := Transform(Basis(axis.normalized(), angle), Vector3(1, -2, 3))
			check(near(body.signed_distance(at, at.xform(Vector3(0.17, 0.1, 0.02))), -0.03, 1e-3), "a point of a turned body")

func saved(body) -> void:
	var bytes: PoolByteArray = body.save_asset()
	var loaded = FracasBody.new()
	check(loaded.load_asset(bytes), "it loads: " + loaded.error())
	check(near(loaded.mass().mass, body.mass().mass, 0.0) and loaded.drawing().size() == 2, "what was saved comes back")

# Errors are sentences; Godot prints them, and nothing crashes.
func wrong(body) -> void:
	print("(ten errors follow, on purpose)")
	var empty = FracasBody.new()
	check(empty.drawing().empty() and "empty" in empty.error(), "an empty body")
	check(not empty.cook([], 1000.0, 0) and empty.is_empty(), "no surfaces")
	check(not empty.cook([[]], 1000.0, 0) and "surface 0" in empty.error(), "a surface without vertices")
	check(not empty.cook([[PoolVector3Array([Vector3()]), null, null, null, null, null, null, null, PoolIntArray([0, 1, 2])]], 1.0, 0)
			and "index" in empty.error(), "an index out of range")
	check(not empty.load_asset(PoolByteArray([1, 2, 3])) and empty.error() != "", "bytes of something else")
	check(body.contacts(Transform(), Node, Transform()).empty() and "FracasBody" in body.error(), "something else than a body")
	check(body.contacts(Transform(), empty, Transform()).empty() and "empty" in body.error(), "an empty one")
	check(body.contacts(Transform().scaled(Vector3(2, 2, 2)), body, Transform()).empty() and "scale" in body.error(), "a pose with a scale")
	check(body.fracture(4).empty() and "3 arguments" in body.error(), "too few arguments")
	check(body.fracture_at(Vector3(), Vector3(), "wide", 4, 1, 0.0).empty() and "radius" in body.error(), "a word for a number")

# The class of the addon in Godot's own physics: a turning body breaks in the air, its fragments fall to the floor and lie there.
var fallen := []
var steps := 0
var example = load("res://readme.gd").new()

func simulated(body) -> void:
	var floor_body := StaticBody.new()
	var plane := CollisionShape.new()
	plane.shape = PlaneShape.new()
	floor_body.add_child(plane)
	get_root().add_child(floor_body)

	var whole = load("res://fracas_rigid_body.gd").new()
	whole.show_piece(body, [SpatialMaterial.new(), SpatialMaterial.new()])
	check(near(whole.mass, 96.0, 1e-3) and whole.get_child_count() == 2, "a mesh and a collider")
	whole.transform = Transform(Basis(Vector3(1, 0, 0), 0.4), Vector3(0, 0.6, 0))
	whole.linear_velocity = Vector3(0.2, 0, -0.1)
	whole.angular_velocity = Vector3(0, 1, 0.5)
	get_root().add_child(whole)
	var told := []
	whole.connect("broken", self, "_told", [told])
	fallen = whole.break_at(whole.transform.xform(Vector3(0.2, 0, 0)), Vector3(-1, 0, 0), 1.0, 8)
	check(fallen.size() >= 4 and told == fallen, "the fragments are told")
	var momentum := Vector3()
	for fragment in fallen:
		check(fragment.transform == whole.transform and fragment.angular_velocity == whole.angular_velocity, "fragments are where the body was")
		momentum += fragment.mass * fragment.linear_velocity
		# Where the body would have taken that point in a millisecond.
		var point: Vector3 = whole.transform.basis.xform(fragment.piece.mass().centre - body.mass().centre)
		var turn := Basis(whole.angular_velocity.normalized(), 0.001 * whole.angular_velocity.length())
		var moved: Vector3 = 0.001 * whole.linear_velocity + turn.xform(point) - point
		check(moved.distance_to(0.001 * fragment.linear_velocity) < 1e-6, "a fragment goes on as that part of the body did")
	check(momentum.distance_to(96.0 * whole.linear_velocity) < 1e-3, "momentum")

func _told(fragments: Array, into: Array) -> void:
	for fragment in fragments:
		into.append(fragment)

func _iteration(_delta: float) -> bool:
	steps += 1
	if steps == 1:
		example.transform.origin = Vector3(20, 0, 0)
		get_root().add_child(example)
		check(example.get_child_count() >= 5, "the example of the README breaks its body")
	if steps != 240:
		return false
	var touching := 0
	for fragment in fallen:
		var at: Transform = fragment.global_transform.orthonormalized()
		var contacts: Array = fragment.piece.contacts_plane(at, Vector3(0, 1, 0), 0.0)
		check(contacts.empty() or contacts[0].depth < 0.02, "a fragment sinks into the floor")
		check(at.origin.y < 0.5 and fragment.linear_velocity.length() < 0.5, "it lies")
		at.origin.y -= 0.05
		if not fragment.piece.contacts_plane(at, Vector3(0, 1, 0), 0.0).empty():
			touching += 1
	check(touching >= 3, "%d fragments lie on the floor" % touching)
	fallen.clear()
	print("godot 3: ", "passed" if failures == 0 else "FAILED")
	quit()
	return true
