import { strFromU8, unzipSync } from 'fflate';
import { exportData, startExport } from '#contract/privacy/export.ts';
import { makeExports } from '../features/privacy/exports/make-export.ts';
import type { CallingApp } from './calling-app.ts';
import type { TestPerson } from './people.ts';

/** The files of a person's export: asked for, made and downloaded. */
export async function exportFiles(app: CallingApp, who: TestPerson): Promise<Record<string, Uint8Array>> {
  await app.ok(who, startExport, {});
  await makeExports(app.platform);
  const { address } = await app.ok(who, exportData, {});
  const { rawPayload } = await app.http.inject({ method: 'GET', url: address });
  return unzipSync(new Uint8Array(rawPayload));
}

/** The contents of its `data.json`, by table. */
export async function exportedData(app: CallingApp, who: TestPerson): Promise<Record<string, unknown[]>> {
  const files = await exportFiles(app, who);
  return JSON.parse(strFromU8(files['data.json']!)) as Record<string, unknown[]>;
}
