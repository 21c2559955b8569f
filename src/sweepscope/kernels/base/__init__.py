"""What every kernel uses: boxes, blocks, faces, nearest points, inside or not."""
