import type { Review } from '#contract/reviews/endpoints.ts';
import type { App } from '../../app-type.ts';
import { reviewsReportedBy } from '../contacts/queries.ts';
import { peopleByIds } from '../identity/service.ts';
import * as store from './store.ts';

/** Reviews as the viewer may see them; leaves out those of people whose account is gone. */
export async function viewReviews(
  app: App,
  rows: readonly store.ReviewRow[],
  viewerId: string,
): Promise<Review[]> {
  const [people, reported] = await Promise.all([
    peopleByIds(app, [...new Set(rows.flatMap((row) => [row.authorId, row.subjectId]))]),
    reviewsReportedBy(
      app.db,
      viewerId,
      rows.map(({ id }) => id),
    ),
  ]);
  return rows.flatMap((row) => {
    const [author, subject] = [people.get(row.authorId), people.get(row.subjectId)];
    if (author === undefined || subject === undefined) return [];
    return [
      {
        id: row.id,
        rideId: row.rideId,
        author,
        subject,
        stars: row.stars,
        tags: row.tags as Review['tags'],
        words: row.words,
        reply: row.reply,
        mayReply: row.publishedAt !== null && row.repliedAt === null && row.subjectId === viewerId,
        mayReport: row.publishedAt !== null && row.authorId !== viewerId && !reported.has(row.id),
        at: row.createdAt.toISOString(),
        published: row.publishedAt !== null,
      },
    ];
  });
}
