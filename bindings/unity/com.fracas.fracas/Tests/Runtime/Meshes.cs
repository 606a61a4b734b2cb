using System.Collections.Generic;

namespace Fracas.Tests
{
    /// <summary>What the tests are about: bricks.</summary>
    static class Meshes
    {
        /// <summary>A brick of tetrahedra around the origin: cells of a grid, six each around a diagonal, so that faces fit.</summary>
        public static AssetSettings Brick(double x, double y, double z, int cells = 2)
        {
            int n = cells + 1;
            Float3[] positions = new Float3[n * n * n];
            for (int i = 0; i < n; i++)
                for (int j = 0; j < n; j++)
                    for (int k = 0; k < n; k++)
                        positions[(i * n + j) * n + k] = (Float3)new Double3(x * ((double)i / cells - 0.5), y * ((double)j / cells - 0.5),
                            z * ((double)k / cells - 0.5));
            int[] steps = { n * n, n, 1 };
            int[][] orders = { new[] { 0, 1, 2 }, new[] { 1, 2, 0 }, new[] { 2, 0, 1 }, new[] { 0, 2, 1 }, new[] { 2, 1, 0 }, 
                              new[] { 1, 0, 2 } };
            List<int> tets = new List<int>();
            for (int i = 0; i < cells; i++)
                for (int j = 0; j < cells; j++)
                    for (int k = 0; k < cells; k++)
                        foreach (int[] order in orders)
                        {
                            int node = (i * n + j) * n + k;
                            tets.Add(node);
                            foreach (int axis in order) tets.Add(node += steps[axis]);
                        }
            return new AssetSettings { Positions = positions, Tets = tets.ToArray(), Density = 2000 };
        }

        /// <summary>The surface of a box: 8 vertices, 12 triangles, counter-clockwise seen from outside.</summary>
        public static AssetSettings Box(float x, float y, float z)
        {
            Float3[] positions = new Float3[8];
            for (int k = 0; k < 8; k++) positions[k] = new Float3((k & 1) == 0 ? -x / 2 : x / 2, (k & 2) == 0 ? -y / 2 : y / 2,
                (k & 4) == 0 ? -z / 2 : z / 2);
            return new AssetSettings
            {
                Positions = positions,
                Triangles = new[] { 0, 2, 3, 0, 3, 1, 4, 5, 7, 4, 7, 6, 0, 1, 5, 0, 5, 4, 2, 6, 7, 2, 7, 3, 0, 4, 6, 0, 6, 2, 1, 3, 7,
                                    1, 7, 5 },
                Density = 2000,
                FillTets = 300,
            };
        }

        /// <summary>0.2 x 0.1 x 0.06 m.</summary>
        public static FracasObject NewBrick()
        {
            using (Asset asset = Asset.Create(Brick(0.2, 0.1, 0.06))) return FracasObject.Create(asset);
        }
    }
}
