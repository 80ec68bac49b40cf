/**
 * Maximum open sockets per process of a person, with every tab of every device, and of a network, such as an
 * office.
 */
const mostSockets = { perPerson: 20, perNetwork: 500 };

/** Counts the sockets of people and networks that are open at this process. */
export function createSocketPlaces() {
  const open = new Map<string, number>();

  function leave(place: string): void {
    const left = (open.get(place) ?? 1) - 1;
    if (left === 0) open.delete(place);
    else open.set(place, left);
  }

  return {
    /**
     * Counts a socket; null where the person or the network has too many.
     * @returns what is called when it closes.
     */
    enter(userId: string, network: string): (() => void) | null {
      const [person, office] = [`person ${userId}`, `network ${network}`];
      if ((open.get(person) ?? 0) >= mostSockets.perPerson) return null;
      if ((open.get(office) ?? 0) >= mostSockets.perNetwork) return null;
      for (const place of [person, office]) open.set(place, (open.get(place) ?? 0) + 1);
      return () => [person, office].forEach(leave);
    },
  };
}
