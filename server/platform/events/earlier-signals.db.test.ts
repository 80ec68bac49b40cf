import fs from 'node:fs';
import { expect, test } from 'vitest';
import { emitted } from '../../testing/emitted.ts';
import { openTestApp } from '../../testing/test-app.ts';

const migration = fs.readFileSync(new URL('../../migrations/0046_no-signals.sql', import.meta.url), 'utf8');

test('what an earlier release had not delivered is heard after the upgrade, by those who had not heard it', async () => {
  const app = await openTestApp();
  try {
    const heard: string[] = [];
    // Looks for the event, which is none.
    app.platform.outbox.off('plans');
    for (const listener of ['first test', 'second test'])
      app.platform.outbox.on('event.moved', listener, async ({ payload: { eventId } }) => {
        heard.push(`${listener} ${eventId}`);
      });
    // As that release left them: a signal that no listener has heard, and one that a single listener has not.
    await app.pool.query(
      'create table signals (id bigserial primary key, name text, payload jsonb, at timestamptz)',
    );
    await app.pool.query(`
      insert into signals (name, payload, at) select 'event.moved', jsonb_build_object('eventId', id), now()
      from unnest(array['unheard', 'half heard', 'heard']) id`);
    await app.pool.query(`
      select graphile_worker.add_job('deliver', json_build_object('signalId', 1, 'queue', 'signals-1'), 'signals-1'),
        graphile_worker.add_job('deliver', json_build_object('signalId', 2, 'queue', 'signals-2',
          'listener', 'second test:event.moved'), 'signals-2')`);
    for (const statement of migration.split('--> statement-breakpoint')) await app.pool.query(statement);
    expect((await emitted(app.platform.db)).map(({ payload }) => payload)).toEqual([{ eventId: 'unheard' }]);
    await app.deliver();
    expect(heard.toSorted()).toEqual(['first test unheard', 'second test half heard', 'second test unheard']);
    expect((await app.pool.query('select * from graphile_worker.jobs')).rows).toEqual([]);
  } finally {
    await app.close();
  }
});

const cursors = fs.readFileSync(new URL('../../migrations/0050_writers-cursor.sql', import.meta.url), 'utf8');

test('what chat or notices had not heard before they shared a cursor is written after it', async () => {
  const app = await openTestApp();
  try {
    await app.pool.query('delete from event_cursors');
    await app.pool.query(
      `insert into event_cursors values ('chat', '300'), ('notices', '200'), ('news', '400')`,
    );
    for (const statement of cursors.split('--> statement-breakpoint')) await app.pool.query(statement);
    const { rows } = await app.pool.query('select consumer, txid::text from event_cursors order by consumer');
    expect(rows).toEqual([
      { consumer: 'news', txid: '400' },
      { consumer: 'writers', txid: '200' },
    ]);
  } finally {
    await app.close();
  }
});
