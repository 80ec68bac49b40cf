import { dateAndTime } from '#contract/formats/times.ts';
import type { Language } from '#contract/formats/intl.ts';
import type { EventDetail } from '#contract/events/endpoints.ts';
import { hashOf } from '../../../platform/http/content-policy.ts';
import { escaped } from '../../../platform/http/page-html.ts';
import { acceptedLanguage } from '../../../platform/http/accepted-language.ts';

const words: Record<Language, Record<'there' | 'back' | 'join' | 'over' | 'missing' | 'by', string>> & {
  en: { offered: (seats: number) => string; needed: (seats: number) => string };
  zh: { offered: (seats: number) => string; needed: (seats: number) => string };
} = {
  en: {
    there: 'Outbound',
    back: 'Return',
    offered: (seats) => `${seats} ${seats === 1 ? 'seat' : 'seats'} offered`,
    needed: (seats) => `${seats} ${seats === 1 ? 'seat' : 'seats'} needed`,
    join: 'Carpool to this event',
    over: 'This event is over or canceled.',
    missing: 'We couldn’t find this event.',
    by: 'Carpool with Sameway',
  },
  zh: {
    there: '去程',
    back: '返程',
    offered: (seats) => `提供 ${seats} 座`,
    needed: (seats) => `需要 ${seats} 座`,
    join: '一起拼车去',
    over: '此活动已结束或已取消。',
    missing: '找不到此活动。',
    by: '顺路：一起拼车',
  },
};

const style = `
*{box-sizing:border-box}body{margin:0;padding:16px;font:15px/1.45 system-ui,sans-serif;color:#1f2430;background:#fff;
border:1px solid #e5e7eb;border-radius:12px;min-height:100vh;display:flex;flex-direction:column;gap:10px}
h1{font-size:17px;margin:0;overflow-wrap:anywhere}p{margin:0}.when,footer{color:#4a5262;font-size:13px}
table{border-collapse:collapse;font-variant-numeric:tabular-nums}th,td{text-align:left;padding:3px 12px 3px 0;font-weight:400}
th{color:#4a5262}a{display:flex;align-items:center;justify-content:center;min-height:44px;border-radius:12px;
background:#1f2430;color:#fff;text-decoration:none;font-weight:600}a:focus-visible{outline:3px solid #59bc6b;outline-offset:2px}
footer{margin-top:auto}
main{display:contents}
`;
/** Its hash in the content security policy. */
export const styleHash = hashOf(style);

/** The requested language, else the supported one that the browser prefers most. */
export function embedLanguage(asked: unknown, accepts: string | undefined): Language {
  if (asked === 'en' || asked === 'zh') return asked;
  return acceptedLanguage(accepts);
}

/**
 * The small page that an organizer embeds in their own site: what, when, seats, and one button that opens
 * Sameway. It has no scripts and no data of the viewer. @param event null where it is not visible. @param
 * link the button's target.
 */
export function embedPage(
  event: EventDetail | null,
  { link, language, now }: { link: string; language: Language; now: Date },
): string {
  const say = words[language];
  const way = (name: string, { seatsOffered, seatsNeeded }: EventDetail['back']) =>
    `<tr><th scope="row">${name}</th><td>${say.offered(seatsOffered)}</td><td>${say.needed(seatsNeeded)}</td></tr>`;
  const isOver = event !== null && (event.canceled || new Date(event.endsAt) <= now);
  const body =
    event === null
      ? `<p>${say.missing}</p>`
      : `<h1>${escaped(event.name)}</h1>
<p class="when">${escaped(whenOf(event, language))}<br>${escaped(event.place.name)}</p>
${
  isOver
    ? `<p>${say.over}</p>`
    : `<table>${way(say.there, event)}${way(say.back, event.back)}</table>
<a href="${escaped(link)}" target="_blank" rel="noopener">${say.join}</a>`
}`;
  return `<!doctype html>
<html lang="${language === 'zh' ? 'zh-CN' : 'en'}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${event === null ? 'Sameway' : escaped(event.name)}</title>
<style>${style}</style></head>
<body><main>${body}</main><footer>${say.by}</footer></body></html>`;
}

const whenOf = ({ startsAt, timeZone }: EventDetail, language: Language): string =>
  dateAndTime(startsAt, timeZone, { language, zone: null });
