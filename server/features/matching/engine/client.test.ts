import { expect, test } from 'vitest';
import { EngineThread, ThreadEnded } from './client.ts';

test('a question to a thread that has ended by itself is refused, not left open', async () => {
  const thread = new EngineThread({ shared: null });
  await expect(thread.census()).resolves.toMatchObject({ rides: 0 });
  await thread['worker'].terminate();
  await thread.ended;
  await expect(thread.census()).rejects.toBeInstanceOf(ThreadEnded);
});
