/** What a push message carries, JSON: words ready to show, in the person's language. */
export interface Pushed {
  title: string;
  body: string;
  /** News of one thing replaces itself on a device instead of piling up. */
  tag: string;
  /** The page it opens, a path of the app. */
  path: string;
  language: string;
  /** When it happened, milliseconds since 1970. */
  atMs: number;
}
