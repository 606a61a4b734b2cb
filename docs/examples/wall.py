"""Writes wall.seeds: the middles of bricks in a wall, as seeds of Voronoi cells. Rows are shifted, so cracks run as mortar does."""

WIDE, HIGH, ROWS, BRICKS = 0.215, 0.065, 4, 4 # of the sample brick, which becomes a small wall

with open("wall.seeds", "w") as file:
    for row in range(ROWS):
        for k in range(-1, BRICKS + 1):
            x = WIDE * ((k + 0.25 + 0.5 * (row % 2)) / BRICKS - 0.5)
            file.write(f"{x:.5f} 0 {HIGH * ((row + 0.5) / ROWS - 0.5):.5f}\n")
