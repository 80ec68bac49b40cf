import fs from 'node:fs';

/**
 * Replaces passages of a file that another tool made.
 * @throws Error where a passage is missing: the tool's next version writes something else.
 */
export function editFile(file: string, edits: readonly (readonly [from: string, to: string])[]): void {
  let text = fs.readFileSync(file, 'utf8');
  for (const [from, to] of edits) {
    if (!text.includes(from)) throw new Error(`${file} has changed, and has no ${JSON.stringify(from)}.`);
    text = text.replaceAll(from, () => to);
  }
  fs.writeFileSync(file, text);
}
