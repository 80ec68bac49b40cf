import { hourMs, later } from '../../../platform/clock.ts';

/** Both sides' answers, and the recorded facts, about a ride whose outcome is unclear. */
export interface Said {
  /** Null: not answered. */
  driver: boolean | null;
  passenger: boolean | null;
  /** Both had confirmed that the passenger was on board. */
  wasAboard: boolean;
}

type Outcome = 'happened' | 'notHappened' | 'contested';

const answerHours = 48;
/** The least time an admin has between the last answer and the end of the authorization, in hours. */
const decideHours = 24;

/** The outcome of the answers: what both say; where they differ, or one is missing, an admin decides. */
export function outcomeOf({ driver, passenger, wasAboard }: Said): Outcome {
  const [byDriver, byPassenger] = wasAboard ? [driver ?? true, passenger ?? true] : [driver, passenger];
  if (byDriver === true && byPassenger === true) return 'happened';
  if (byDriver === false && byPassenger === false) return 'notHappened';
  return 'contested';
}

/**
 * The deadline of the answers: two days, or earlier so that an admin can decide before the authorization
 * expires.
 */
export function answerByAt(now: Date, decideBy: Date | null): Date {
  const usual = later(now, answerHours * hourMs);
  if (decideBy === null) return usual;
  const latest = later(decideBy, -decideHours * hourMs);
  if (latest >= usual) return usual;
  return latest > now ? latest : decideBy > now ? decideBy : now;
}

/**
 * The text for an admin and both sides where evidence contradicts a passenger's report that the driver did
 * not come.
 */
export const reportWords = (language: 'en' | 'zh'): string =>
  language === 'zh'
    ? '乘客反映车主未到，但车主设备的定位或操作记录显示其已到达上车点。'
    : 'The passenger reported that the driver didn’t show up. The location or the recorded steps of the driver’s device show the driver at the pick-up point.';

/** The text for an admin and both sides of a ride whose people contradict each other. */
export function contestWords(language: 'en' | 'zh', { driver, passenger }: Said): string {
  const word = (said: boolean | null) =>
    language === 'zh'
      ? said === null
        ? '未回答'
        : said
          ? '是'
          : '否'
      : said === null
        ? 'no answer'
        : said
          ? 'yes'
          : 'no';
  return language === 'zh'
    ? `应用无法确定双方是否同行，因此我们询问了双方。车主：${word(driver)}；乘客：${word(passenger)}。`
    : `The app could not tell whether they rode together, so we asked both sides. Driver: ${word(driver)}; passenger: ${word(passenger)}.`;
}
