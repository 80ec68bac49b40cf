import { expect, test } from 'vitest';
import { mergeNews, type ToldNews } from './merge-news.ts';

const told = (userIds: string, id: string, news: string | null = null): ToldNews => ({
  userIds: userIds.split(' '),
  changed: { topic: 'order', id, news },
});
const words = (news: readonly ToldNews[]) =>
  news.map(({ userIds, changed: { id, news: text } }) => `${userIds.join(' ')}: ${id} ${text ?? '-'}`);

test.each<[string, ToldNews[], string[]]>([
  ['one thing said twice', [told('ann', 'ride'), told('ann', 'ride')], ['ann: ride -']],
  [
    'one thing to two people at two times',
    [told('ann', 'ride'), told('ben ann', 'ride')],
    ['ann ben: ride -'],
  ],
  [
    'a text says that something has changed, too',
    [told('ann', 'ride'), told('ann', 'ride', 'booking.ask'), told('ann', 'ride')],
    ['ann: ride booking.ask'],
  ],
  [
    'only for the person who gets the text',
    [told('ann ben', 'ride'), told('ann', 'ride', 'booking.ask')],
    ['ben: ride -', 'ann: ride booking.ask'],
  ],
  [
    'two texts about one thing are two pieces of news',
    [told('ann', 'ride', 'booking.ask'), told('ann', 'ride', 'booking.withdraw')],
    ['ann: ride booking.ask', 'ann: ride booking.withdraw'],
  ],
  [
    'what is said last comes last',
    [told('ann', 'first'), told('ann', 'second'), told('ann', 'first')],
    ['ann: second -', 'ann: first -'],
  ],
  [
    'another thing of another kind',
    [told('ann', 'ride'), told('ben', 'other')],
    ['ann: ride -', 'ben: other -'],
  ],
])('%s', (_name, given, expected) => expect(words(mergeNews(given))).toEqual(expected));
