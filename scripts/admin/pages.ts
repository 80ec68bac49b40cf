import { z } from 'zod';
import { checked } from './run-command.ts';

/** The options of a list that is read page by page. */
export const pageNames = ['size', 'offset'] as const;

const page = z.object({
  size: z.coerce.number().int().min(1).max(200).default(30),
  offset: z.coerce.number().int().min(0).max(1_000_000).default(0),
});
export type Page = z.output<typeof page>;

/** The page that is asked for, 30 rows from the first on where nothing is said. */
export const pageOf = (given: { size?: string | undefined; offset?: string | undefined }): Page =>
  checked(page, given);

/** The lines of a page, and how to read the next one. */
export const linesOf = (
  lines: readonly string[],
  { none, total, offset }: { none: string; total: number; offset: number },
): string => {
  const next = offset + lines.length;
  return [
    ...(lines.length === 0 ? [none] : lines),
    ...(next < total && lines.length > 0 ? [`More: --offset ${next}`] : []),
  ].join('\n');
};
