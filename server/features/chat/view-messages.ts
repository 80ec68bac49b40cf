import type { Message } from '#contract/chat/endpoints.ts';
import type { App } from '../../app-type.ts';
import { pictureSizesOf } from '../pictures/queries.ts';
import { signedAddress } from '../pictures/service.ts';
import * as store from './store.ts';
import { viewMessage } from './view.ts';

/** Messages with the addresses of their pictures, in the given order. */
export async function viewMessages(app: App, rows: readonly store.MessageRow[]): Promise<Message[]> {
  const sizes = await pictureSizesOf(
    app.db,
    rows.flatMap(({ pictureId }) => pictureId ?? []),
  );
  return Promise.all(
    rows.map(async (row) => {
      const size = row.pictureId === null ? undefined : sizes.get(row.pictureId);
      if (row.pictureId === null || size === undefined) return viewMessage(row, null);
      return viewMessage(row, { url: await signedAddress(app, row.pictureId), ...size });
    }),
  );
}
