/**
 * The code in what a camera read: the code itself, or an address that carries it, wherever this site lives.
 */
export function codeIn(scanned: string): string {
  const text = scanned.trim();
  if (!/^https?:\/\//i.test(text)) return text;
  try {
    const { searchParams } = new URL(text);
    return searchParams.get('code') ?? searchParams.get('inviter') ?? '';
  } catch {
    return '';
  }
}
