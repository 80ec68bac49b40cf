import type { reviewTags } from '#contract/reviews/endpoints.ts';
import type { Dice } from './seeded-random.ts';
import type { Persona } from './people.ts';

type ReviewTag = (typeof reviewTags)[number];

const rideNotes = {
  en: [
    'I leave on time, please be at the curb two minutes early.',
    'Quiet car in the morning, coffee welcome.',
    'Room for one bike on the rack.',
    'Happy to stop on the way if it is short.',
    'No smoking, please. A small dog sometimes rides along.',
    'I take the side streets when the highway is slow.',
    'Podcasts or silence, your choice.',
    'Same time most days, regulars welcome.',
  ],
  zh: ['准时出发，请提前两分钟到上车点。', '车上可以安静休息，也欢迎聊天。', '后备箱有空间，可以带行李。'],
};

const requestNotes = {
  en: [
    'One backpack, no luggage.',
    'I can walk to a better corner.',
    'A few minutes either way are fine.',
    'My bus line is cut this week.',
    'Traveling with a folding bike.',
  ],
  zh: ['只有一个背包。', '可以走到方便停车的路口。', '时间可以前后调整几分钟。'],
};

const asks = {
  en: [
    'Hi! Could you take me along?',
    'Good morning, your way passes my corner. Room for me?',
    'I would love to join, I am always on time.',
  ],
  zh: ['你好！可以带我一程吗？', '正好顺路，方便的话请带上我，谢谢！'],
};

/** A driver's or passenger's note; every other order has none. */
export function noteFor(dice: Dice, { language }: Persona, role: 'driver' | 'passenger'): string {
  if (dice.percent(50)) return '';
  return dice.pick((role === 'driver' ? rideNotes : requestNotes)[language]);
}

export const askFor = (dice: Dice, { language }: Persona): string => dice.pick(asks[language]);

const praise: Record<'ofDriver' | 'ofPassenger', Record<'en' | 'zh', readonly string[]>> = {
  ofDriver: {
    en: [
      'Smooth drive and good company.',
      'On time to the minute. Thank you!',
      'Careful on every curve.',
      'Clean car, nice music, would ride again.',
      'Waited for me when my bus was late. Very kind.',
      'We talked about trails the whole way.',
      '',
    ],
    zh: ['开车很稳，聊得也开心。', '非常准时，下次还想一起。', '车里很干净，谢谢！'],
  },
  ofPassenger: {
    en: [
      'Was at the corner before me.',
      'Friendly and easy to find.',
      'Good conversation about almost everything.',
      'Great passenger, any time again.',
      'Brought oranges from the garden!',
      '',
    ],
    zh: ['很准时，也很好找。', '聊得很愉快，欢迎再来。'],
  },
};
const mild = {
  en: [
    'All fine, a few minutes late.',
    'Good ride, the car was a little warm.',
    'We had to look for each other a bit.',
    'Friendly, but the last mile took a while.',
    'Nice trip. Next time I would meet at the other corner.',
  ],
  zh: ['整体不错，晚了几分钟。', '上车点有点难找，其他都好。'],
};
const tagsOf: Record<'ofDriver' | 'ofPassenger', readonly ReviewTag[]> = {
  ofDriver: ['onTime', 'friendly', 'safeDriver', 'goodConversation', 'quiet', 'tidy'],
  ofPassenger: ['onTime', 'friendly', 'goodConversation', 'quiet', 'tidy'],
};

/** One person's words about the other after a ride: mostly five stars, now and then four, rarely three. */
export function reviewBy(
  dice: Dice,
  { language }: Persona,
  about: 'ofDriver' | 'ofPassenger',
): { stars: number; tags: ReviewTag[]; words: string } {
  const stars = dice.percent(76) ? 5 : dice.percent(85) ? 4 : 3;
  const words = dice.pick(
    stars === 5 || (stars === 4 && dice.percent(50)) ? praise[about][language] : mild[language],
  );
  const tags = stars === 3 ? [] : dice.shuffled(tagsOf[about]).slice(0, dice.between(1, 3));
  return { stars, tags, words };
}

/** A talk in a ride's room; the driver speaks first. */
export const smallTalk: readonly (readonly string[])[] = [
  ['I am in the car now, two minutes.', 'Thanks, I am at the corner.'],
  ['Running three minutes late, sorry!', 'No problem at all.', 'Here now, same car as always.'],
  ['There is work on the bridge, I come from the other side.', 'Got it, I crossed the street.'],
];
