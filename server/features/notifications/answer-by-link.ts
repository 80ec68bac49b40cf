import type { InputOf, OutputOf } from '#contract/define.ts';
import type {
  answerQuestion as answerCall,
  NewsAnswer,
  Question,
} from '#contract/notifications/endpoints.ts';
import type { App } from '../../app-type.ts';
import { dayMs, later } from '../../platform/clock.ts';
import { movedOn, Refusal } from '../../platform/refusal.ts';
import { areActive } from '../identity/queries.ts';
import { peopleByIds } from '../identity/service.ts';
import { answerChange, rejectBooking, acceptBooking } from '../orders/service.ts';
import { factsOfOwn } from './order-facts.ts';
import { answerTo } from './rules/answers.ts';
import { isNews, type NewsFacts, asksFor, type News } from './rules/notification-texts.ts';
import * as sources from './sources/store.ts';
import * as store from './store.ts';
import type { NewsRow } from './store.ts';

const linkOver = () =>
  new Refusal('question.notFound', 'This link no longer works. Please open Sameway to answer.', {
    code: 404,
  });

/** The question of an answer link, for the person who has it. Refuses `question.notFound`. */
export async function readQuestion(app: App, code: string): Promise<Question> {
  return view(app, await askedBy(app, code));
}

/**
 * Answers the question of an answer link for the person it was sent to. The answer is the same command as in
 * the app, so it happens once. Refuses `question.notFound`, `question.given`, `question.over`, and what the
 * command refuses.
 */
export async function answerQuestion(
  app: App,
  { code, accept, reason = '' }: InputOf<typeof answerCall>,
): Promise<OutputOf<typeof answerCall>> {
  const asked = await askedBy(app, code);
  const { row, answer } = asked;
  if (answer.state === 'over') throw movedOn('question.over', 'This request is no longer open.');
  if (answer.state !== 'open') throw movedOn('question.given', 'You’ve already answered this.');
  const awaitsPayment = await give(app, row.userId, answer, { accept, reason });
  const question = await readQuestion(app, code);
  return { question, awaitsPayment };
}

/** @returns whether the passenger still has to pay before they have joined. */
async function give(
  app: App,
  personId: string,
  { to, id }: NewsAnswer,
  { accept, reason }: { accept: boolean; reason: string },
): Promise<boolean> {
  if (to === 'change') {
    await answerChange(app, personId, { changeId: id, accept });
    return false;
  }
  if (!accept) {
    await rejectBooking(app, id, personId, reason);
    return false;
  }
  return (await acceptBooking(app, id, personId)).booking.awaits === 'payment';
}

interface Asked {
  row: store.NewsRow;
  facts: NewsFacts;
  answer: NewsAnswer;
}

/**
 * The question of a link, as it is now. Refuses `question.notFound` where the code is forged or over, or the
 * person is gone.
 */
async function askedBy(app: App, code: string): Promise<Asked> {
  const { db, clock, signedTokens } = app;
  const [newsId, userId] = (await signedTokens.verify(answerPurpose, code)) ?? [];
  if (newsId === undefined || userId === undefined) throw linkOver();
  const row = await store.newsById(db, newsId);
  if (row?.userId !== userId || !isNews(row.word) || !(await areActive(db, [userId]))) throw linkOver();
  const facts: NewsFacts = row.facts;
  const { bookingId, changeId } = facts;
  const asked = await sources.askedOf(db, userId, {
    bookingIds: bookingId === undefined ? [] : [bookingId],
    changeIds: changeId === undefined ? [] : [changeId],
  });
  const name =
    row.otherId === null ? '' : ((await peopleByIds(app, [row.otherId])).get(row.otherId)?.name ?? '');
  const answer = answerTo({ news: row.word, name, bookingId, changeId }, asked, clock.now());
  if (answer === null) throw linkOver();
  return { row, facts, answer };
}

async function view(app: App, asked: Asked): Promise<Question> {
  const { row, answer, facts } = asked;
  const rideId = row.thing.slice('order:'.length);
  const of = { rideId, ...(facts.bookingId === undefined ? {} : { bookingId: facts.bookingId }) };
  const [people, order] = await Promise.all([
    peopleByIds(app, row.otherId === null ? [] : [row.otherId]),
    factsOfOwn(app, of, row.userId),
  ]);
  return {
    answer,
    asker: (row.otherId === null ? undefined : people.get(row.otherId)) ?? null,
    path: row.path,
    order:
      order === null
        ? null
        : {
            from: order.from ?? '',
            to: order.to ?? '',
            departsAt: order.departsAt!,
            timeZone: order.timeZone ?? 'UTC',
            price: order.price ?? null,
            proposal: answer.to === 'change' ? (order.proposal ?? null) : null,
          },
  };
}

/** The purpose of the signed tokens of answer links. */
const answerPurpose = 'answer';

/** After the departure a link still says that its question is over; then it is worth nothing. */
const afterDepartureMs = dayMs;

/** Paths of the page where a person answers without signing in; opening it answers nothing. */
interface AnswerLinks {
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
