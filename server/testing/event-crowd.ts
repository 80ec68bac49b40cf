import { driveThere, rideThere } from '#contract/events/times.ts';
import type { LonLat, RoadNetwork } from '#roads/graph/network.ts';
import type { Problem } from '../features/matching/assignment/problem.ts';
import { arriveByMs, defaultMaxDetourMs } from '../features/matching/rules/detour.ts';
import { planAlone, type Plan } from '../features/matching/rules/plan.ts';
import { door, type Spot, type Wish } from '../features/matching/rules/wish.ts';

const startsMs = Date.UTC(2026, 10, 28, 3);
const shortestDriveMs = 3 * 60_000;

/**
 * People on their way to one event, with the times that joining it gives them: drivers with two to four
 * seats, and passengers who may walk.
 * @param home draws where a person lives. @param spots meeting points within a walk of a place.
 */
export function drawEventCrowd(of: {
  network: RoadNetwork;
  at: LonLat;
  drivers: number;
  passengers: number;
  random: () => number;
  home: (random: () => number) => LonLat;
  spots: (at: LonLat) => readonly Spot[];
}): Pick<Problem, 'rides' | 'wishes' | 'allowed'> {
  const { network, random } = of;
  const onRoad = (at: LonLat): LonLat => {
    const point = network.snap(at);
    if (point === null) throw new Error('no road is near the event');
    return { lon: point.lon, lat: point.lat };
  };
  const at = onRoad(of.at);
  const home = () => {
    for (;;) {
      const point = network.snap(of.home(random));
      if (point === null || point.estimated) continue;
      const from = { lon: point.lon, lat: point.lat };
      const drive = network.travel(point, network.snap(at)!);
      if (drive !== null && drive.milliseconds >= shortestDriveMs) return { from, drive };
    }
  };
  const rides = Array.from({ length: of.drivers }, (_, driver): Plan => {
    const { from, drive } = home();
    const { earliestMs, latestMs } = driveThere(startsMs, drive.milliseconds);
    return planAlone({
      from,
      to: at,
      drive,
      seats: 2 + Math.floor(random() * 3),
      earliestDepartsMs: earliestMs,
      latestDepartsMs: latestMs,
      // Some leave before a peak, some in it.
      trafficPermille: [1000, 1080, 1170][driver % 3]!,
      maxDetourMs: defaultMaxDetourMs(drive.milliseconds),
    });
  });
  const atEvent = [door(at), ...of.spots(at)];
  const wishes = Array.from({ length: of.passengers }, (): Wish => {
    const { from, drive } = home();
    const { earliestMs, latestMs } = rideThere(startsMs, drive.milliseconds);
    return {
      seats: random() < 0.85 ? 1 : 2,
      pickups: [door(from), ...of.spots(from)],
      dropoffs: atEvent,
      walkMetres: 600,
      earliestMs,
      latestMs,
      arriveByMs: arriveByMs(latestMs, drive.milliseconds),
      preferences: 0,
    };
  });
  const allowed = rides.flatMap((_, ride) => wishes.map((__, wish) => ({ ride, wish })));
  return { rides, wishes, allowed };
}
