/** The names that contain the text, whatever its case and accents; those that begin with it come first. */
export function namesContaining(names: readonly string[], text: string): string[] {
  const plain = (name: string) => name.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();
  const wanted = plain(text);
  const found = names.filter((name) => plain(name).includes(wanted));
  const begins = (name: string) => plain(name).startsWith(wanted);
  return [...found.filter(begins), ...found.filter((name) => !begins(name))];
}
