import type { Said } from './unclear.ts';

/**
 * The text for an admin and both sides where evidence contradicts a passenger's report that the driver did
 * not come.
 */
export const reportWords = (language: 'en' | 'zh'): string =>
  language === 'zh'
    ? '乘客反映司机没有到达，但司机设备的位置或操作记录显示其已到达上车点。'
    : 'The passenger reported that the driver did not come; the position or the recorded steps of the driver’s device say that the driver was at the pick-up point.';

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
    ? `行程当天服务中断，双方被问及行程是否成行。司机：${word(driver)}；乘客：${word(passenger)}。`
    : `The service was interrupted on the day of the ride, and both were asked whether it took place. Driver: ${word(driver)}; passenger: ${word(passenger)}.`;
}
