import type { App } from '../../app-type.ts';
import { dayMs, later } from '../../platform/clock.ts';
import { asksFor, type News, type NewsFacts } from './rules/notification-texts.ts';
import type { NewsRow } from './store.ts';

/** The purpose of the signed tokens of answer links. */
export const answerPurpose = 'answer';

/** After the departure a link still says that its question is over; then it is worth nothing. */
const afterDepartureMs = dayMs;

/** Paths of the page where a person answers without signing in; opening it answers nothing. */
export interface AnswerLinks {
  accept: string;
  decline: string;
}

/** The links that answer a notification's question; null where it asks nothing. */
export async function answerLinks(
  { signedTokens }: App,
  { id, userId }: Pick<NewsRow, 'id' | 'userId'>,
  { news, facts }: { news: News; facts: NewsFacts },
): Promise<AnswerLinks | null> {
  if (asksFor(news) === null || facts.departsAt === undefined) return null;
  const endsAt = later(new Date(facts.departsAt), afterDepartureMs);
  const code = await signedTokens.sign(answerPurpose, [id, userId], endsAt);
  const page = `/pages/order/answer?code=${code}`;
  return { accept: page, decline: `${page}&decline=1` };
}
