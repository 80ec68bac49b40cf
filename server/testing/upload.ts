import type { z } from 'zod';
import { uploadImage } from '#contract/pictures/endpoints.ts';
import type { Envelope } from '#contract/envelope.ts';
import type { CallingApp } from './calling-app.ts';
import type { TestPerson } from './people.ts';

type Answer = Envelope<z.output<(typeof uploadImage)['output']>>;

/** Sends files as a browser's form does. */
export async function upload(
  app: CallingApp,
  who: TestPerson | null,
  purpose: string,
  files: readonly { bytes: Buffer; name?: string }[],
): Promise<Answer> {
  const form = new FormData();
  form.set('purpose', purpose);
  for (const { bytes, name = 'photo.jpg' } of files)
    form.append('file', new Blob([new Uint8Array(bytes)], { type: 'image/jpeg' }), name);
  const body = new Response(form);
  const response = await app.http.inject({
    method: 'POST',
    url: uploadImage.path,
    headers: {
      'content-type': body.headers.get('content-type') ?? '',
      ...(who === null ? {} : { authorization: `Bearer ${who.token}` }),
    },
    payload: Buffer.from(await body.arrayBuffer()),
  });
  if (response.statusCode !== 200)
    throw new Error(`The upload answered HTTP ${response.statusCode}: ${response.body}`);
  return response.json();
}
