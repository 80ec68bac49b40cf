import { dateAndTime } from '#contract/formats/times.ts';
import {
  button,
  paragraph,
  secretButton,
  signature,
  type EmailBlock,
  type EmailContent,
} from '../../../platform/messages/email-blocks.ts';
import { translate, type Language } from '../../../platform/messages/translate.ts';
import { buttonOf, rideWords, wordsOf, type News, type NewsFacts } from './notification-texts.ts';

/** One notification of an email. */
export interface EmailedNews {
  news: News;
  facts: NewsFacts;
  /** The page that it is about. */
  link: string;
  /** The addresses that answer its question without signing in; null where it asks nothing. */
  answer: { accept: string; decline: string; until: Date | null } | null;
}

/** One email about one notification, or about several of one kind that are due at the same time. */
export function emailOf(language: Language, told: readonly [EmailedNews, ...EmailedNews[]]): EmailContent {
  const t = translate(language);
  const [first, ...others] = told.map(({ news, facts }) => wordsOf(news, language, facts));
  const { title, text } = first!;
  return {
    language,
    subject: others.length === 0 ? title : t('notice.several', { title, count: others.length }),
    preview: text === '' ? '' : t('notice.sentence', { text }),
    blocks: [...told.flatMap((each) => blocksOf(language, each, others.length > 0)), signature],
  };
}

function blocksOf(language: Language, told: EmailedNews, isOneOfSeveral: boolean): EmailBlock[] {
  const { news, facts, answer } = told;
  const { timeZone = 'UTC' } = facts;
  const t = translate(language);
  const { title, text } = wordsOf(news, language, facts);
  const until = answer?.until?.toISOString();
  const when = until === undefined ? '' : dateAndTime(until, timeZone, { language, zone: null });
  return [
    ...(isOneOfSeveral ? [{ kind: 'heading', text: title } as const] : []),
    ...aboutOf(language, told, text),
    ...buttonsOf(language, told),
    ...(when === '' ? [] : [paragraph(t('notice.until', { when }))]),
  ];
}

/** The ride as a card; else the line of the notification. */
function aboutOf(language: Language, { news, facts }: EmailedNews, text: string): EmailBlock[] {
  const { from, to, when, money, was, otherWay } = rideWords(news, language, facts);
  const before = [was.when, was.money].filter((part) => part !== '').join(' · ');
  if (from === '' || to === '' || when === '')
    return text === '' ? [] : [paragraph(translate(language)('notice.sentence', { text }))];
  return [
    {
      kind: 'rideCard',
      title: when,
      route: { from, to },
      ...(money === '' ? {} : { price: money }),
      lines: [
        ...(otherWay === '' ? [] : [otherWay]),
        ...(before === '' ? [] : [translate(language)('notice.before', { before })]),
      ],
    },
  ];
}

function buttonsOf(language: Language, { news, link, answer }: EmailedNews): EmailBlock[] {
  const t = translate(language);
  if (answer === null) return [button(t(`notice.buttons.${buttonOf(news)}`), link)];
  return [
    secretButton(t('notice.accept'), answer.accept),
    { ...secretButton(t('notice.decline'), answer.decline), quiet: true },
  ];
}
