import type { z } from 'zod';
import type { Endpoint } from '#contract/define.ts';
import type { Envelope } from '#contract/envelope.ts';
import type { TestApp } from './test-app.ts';

/** A guest's browser: it keeps the cookies that it is given and sends them back. */
export function browserOf(app: TestApp) {
  const jar = new Map<string, string>();
  /** The cookies as they were set, with their attributes. */
  const set: string[] = [];

  async function call<I extends z.ZodObject, O extends z.ZodType>(
    endpoint: Endpoint<I, O>,
    input: z.input<I>,
  ): Promise<Envelope<z.output<O>>> {
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await app.http.inject({
      method: 'POST',
      url: endpoint.path,
      payload: input,
      headers: cookie === '' ? {} : { cookie },
    });
    for (const line of [response.headers['set-cookie'] ?? []].flat()) {
      set.push(line);
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (line.includes('Max-Age=0')) jar.delete(name);
      else jar.set(name, value);
    }
    return response.json();
  }

  return {
    set,
    call,
    /** As `call`; fails the test unless the answer is a success. */
    async ok<I extends z.ZodObject, O extends z.ZodType>(endpoint: Endpoint<I, O>, input: z.input<I>) {
      const answer = await call(endpoint, input);
      if (answer.code !== 200) throw new Error(`${endpoint.path} refused: ${JSON.stringify(answer)}`);
      return answer.data as z.output<O>;
    },
  };
}
