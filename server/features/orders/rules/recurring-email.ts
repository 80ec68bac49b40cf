/** To somebody whose weekly ride or request could not be published on some days. */
export function refusedEmail(
  language: 'en' | 'zh',
  { days, timeZone, link }: { days: readonly Date[]; timeZone: string; link: string },
): { subject: string; text: string } {
  const format = new Intl.DateTimeFormat(language === 'zh' ? 'zh-CN' : 'en-US', {
    timeZone,
    weekday: 'short',
    month: 'short',
    day: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    timeZoneName: 'short',
  });
  const list = days.map((day) => format.format(day)).join('\n');
  return language === 'zh'
    ? {
        subject: '您的每周行程有日期未能发布',
        text: `以下日期未能发布，别人看不到：\n\n${list}\n\n在这里查看原因，并可重新发布：\n${link}\n\n顺路 Sameway\n`,
      }
    : {
        subject: 'A day of your weekly ride could not be published',
        text: `Nobody sees your ride on:\n\n${list}\n\nWhy, and how to publish it after all:\n${link}\n\nSameway\n`,
      };
}
