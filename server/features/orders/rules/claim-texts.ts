import type { Said } from './unclear.ts';

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
