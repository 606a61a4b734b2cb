# A RigidBody3D that breaks: drawn by its piece, simulated by the piece's convex parts. Its fragments are bodies of the same class.
class_name FracasRigidBody3D
extends RigidBody3D

signal broken(fragments)

# FracasBody, already cooked: set it with show_piece() before the body enters the tree.
var piece = null
# For the surfaces that were cooked, in their order, and then one for the cracks.
var materials := []

# Draws and weighs a piece and gives it colliders, at most `max_parts`.
func show_piece(shown, shown_materials: Array, max_parts := 8) -> void:
	piece = shown
	materials = shown_materials
	for child in get_children():
		child.free()
	var mesh := ArrayMesh.new()
	var surfaces: Array = piece.drawing()
	for k in range(surfaces.size()):
		if surfaces[k].size() > 0:
			mesh.add_surface_from_arrays(Mesh.PRIMITIVE_TRIANGLES, surfaces[k])
			if k < materials.size():
				mesh.surface_set_material(mesh.get_surface_count() - 1, materials[k])
	var drawn := MeshInstance3D.new()
	drawn.mesh = mesh
	add_child(drawn)
	for points in piece.convex_parts(max_parts):
		var shape := ConvexPolygonShape3D.new()
		shape.points = points
		var collider := CollisionShape3D.new()
		collider.shape = shape
		add_child(collider)
	mass = piece.mass().mass
	# Exact, where the engine would take the middle of the colliders. By set(), since Godot 3 has no such property.
	set("center_of_mass_mode", 1) # CENTER_OF_MASS_MODE_CUSTOM
	set("center_of_mass", piece.mass().centre)

# Breaks at a point of the world into about so many pieces, which go on as this body moved; it is freed then. Returns them.
func break_at(point: Vector3, direction: Vector3, radius: float, pieces: int, random_seed := 1) -> Array:
	var inverse := global_transform.orthonormalized().affine_inverse()
	var made: Array = piece.fracture_at(inverse * point, inverse.basis * direction, radius, pieces, random_seed, 0.0)
	if made.size() == 0:
		return []
	var centre: Vector3 = global_transform * piece.mass().centre
	var fragments := []
	for part in made:
		var body = get_script().new()
		body.show_piece(part, materials)
		body.transform = transform
		get_parent().add_child(body)
		var arm: Vector3 = global_transform * part.mass().centre - centre
		body.linear_velocity = linear_velocity + angular_velocity.cross(arm)
		body.angular_velocity = angular_velocity
		fragments.append(body)
	emit_signal("broken", fragments)
	queue_free()
	return fragments
