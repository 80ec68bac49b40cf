import type { NewsTopic, RealtimeFromServer } from '#contract/realtime.ts';
import { minuteMs } from '../clock.ts';

/** An app that opens its socket later than this after its first read reads everything again. */
const rememberedMs = minuteMs;
/** With more changes than this in that time, a person's app reads everything again. */
const mostThings = 50;

/** A thing that a person has heard of. */
interface Thing {
  topic: NewsTopic;
  id: string;
  at: number;
}

interface PersonNews {
  /** By topic and id; the latest change is last. */
  things: Map<string, Thing>;
  /** From here on, `things` has all changes. */
  completeSince: number;
  lastAt: number;
}

/**
 * The changes sent to people in the last minute, by any process. An app reads before its socket is open, so
 * the server then sends what has changed since.
 * @param now milliseconds that only grow.
 */
export function createRecentNews(now: () => number = () => performance.now()) {
  /** The person with the latest change is last. */
  const people = new Map<string, PersonNews>();
  let completeSince = now();

  function dropOld(): void {
    const oldest = now() - rememberedMs;
    for (const [userId, { lastAt }] of people) {
      if (lastAt >= oldest) return;
      people.delete(userId);
    }
  }

  function noteFor(userId: string, thing: Thing): void {
    const person = people.get(userId) ?? { things: new Map(), completeSince, lastAt: thing.at };
    const key = `${thing.topic} ${thing.id}`;
    person.things.delete(key);
    person.things.set(key, thing);
    person.lastAt = thing.at;
    const [oldest] = person.things;
    if (person.things.size > mostThings && oldest !== undefined) {
      person.things.delete(oldest[0]);
      person.completeSince = oldest[1].at + 1;
    }
    people.delete(userId);
    people.set(userId, person);
  }

  /** Remembers from here on; earlier changes are unknown. */
  function startAnew(): void {
    people.clear();
    completeSince = now();
  }

  return {
    startAnew,

    /** @param said the first argument of the event. */
    note(userIds: readonly string[], event: keyof RealtimeFromServer, said: unknown): void {
      // The clock has moved, for everyone.
      if (event === 'clock') return startAnew();
      const about = subjectOf(event, said);
      if (about === null) return;
      dropOld();
      const at = now();
      for (const userId of userIds) noteFor(userId, { ...about, at });
    },

    /** The changes that a person was sent in the last `ms`, each thing once; null if that is not known. */
    within(ms: number, userId: string): { topic: NewsTopic; id: string }[] | null {
      const since = now() - ms;
      const person = people.get(userId);
      if (ms > rememberedMs || since < (person?.completeSince ?? completeSince)) return null;
      return [...(person?.things.values() ?? [])]
        .filter(({ at }) => at >= since)
        .map(({ topic, id }) => ({ topic, id }));
    },
  };
}

export type RecentNews = ReturnType<typeof createRecentNews>;

/** The thing that an event is about; null for what no call reads. */
function subjectOf(event: keyof RealtimeFromServer, said: unknown): { topic: NewsTopic; id: string } | null {
  if (event === 'changed') {
    const { topic, id } = said as Parameters<RealtimeFromServer['changed']>[0];
    return { topic, id };
  }
  if (event === 'message' || event === 'read')
    return { topic: 'room', id: (said as { roomid: string }).roomid };
  return null;
}
