"""The radar: how far can it go, what will it meet, where; read off pictures, at a cost you choose."""

import sweepscope as ss

scene = ss.Scene()
scene.add(ss.Box((10, 10, 0.2)), name="floor")
scene.add(ss.Box((1, 1, 1)), pose=(1.2, 0.2, 0.6), name="crate")
drone = scene.add(ss.Mesh.sphere(0.8), pose=(0, 0, 4), name="drone")
down = ss.Translate((0.6, 0.4, -5))

exact = scene.sweep(drone, down)
print("exact:", "free" if exact is None else f"{exact.travel:.6f}, the {exact.obstacle.name}")

radar = ss.radar.Radar(scene, drone, pixels=(100, 100))
reading = radar.probe(down)
if reading.hit and reading.obstacle is not None:
    print(f"radar: {reading.travel:.6f}, the {reading.obstacle.name}")
    print(f"contact about {reading.center.round(3)}, normal {reading.normal.round(3)}")
    print(f"{len(reading.pixels)} pixels in contact, {reading.drawings} scopes drawn")

again = radar.probe(down)
print(f"asked again: {again.drawings} scope drawn, the mask still holds")

for pixels in (10, 40, 160):
    sampled = ss.radar.Radar(scene, drone, pixels=pixels).probe(down).travel
    bound = ss.radar.Radar(scene, drone, pixels=pixels, method="bounding").probe(down).travel
    print(f"{pixels:3} x {pixels:3} pixels: at least {bound:.4f}, at most {sampled:.4f}")

drones = [drone] + [scene.add(drone.shape, pose=(x, 3, 4)) for x in (-3, 0, 3)]
readings = ss.radar.RadarSet(scene, drones, pixels=50).probe([down] * 4)
print("all four:", [round(each.travel, 3) for each in readings])
