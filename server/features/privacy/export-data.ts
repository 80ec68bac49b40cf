import { strToU8, zipSync } from 'fflate';
import type { OutputOf } from '#contract/define.ts';
import type { exportData as exportCall } from '#contract/privacy/endpoints.ts';
import { appVersion } from '#contract/app/endpoints.ts';
import type { PrivacyContext } from './context.ts';
import { exportReadme } from './rules/readme.ts';
import * as store from './store.ts';

/** All data about a person as one archive. */
export async function exportData(
  { pictures, platform: { longRead, clock } }: PrivacyContext,
  userId: string,
): Promise<OutputOf<typeof exportCall>> {
  const { tables, people } = await longRead(async (tx) => ({
    tables: await store.everythingOf(tx, userId),
    people: await store.namesAround(tx, userId),
  }));
  const images = await pictures.exportOf(userId);
  const at = clock.now().toISOString();
  const data = { product: 'Sameway', version: appVersion, exportedAt: at, people, ...tables };
  const zip = zipSync({
    'README.txt': strToU8(exportReadme(at)),
    'data.json': strToU8(JSON.stringify(data, null, 2)),
    // Pictures are compressed already; compressing them again only takes time.
    pictures: Object.fromEntries(
      images.map(({ name, bytes }): [string, [Uint8Array, { level: 0 }]] => [
        name,
        [new Uint8Array(bytes), { level: 0 }],
      ]),
    ),
  });
  return {
    fileName: `sameway-${at.slice(0, 10)}.zip`,
    zipBase64: Buffer.from(zip).toString('base64'),
    bytes: zip.length,
  };
}
