/** The payload of a push message, JSON: text ready to show, in the person's language. */
export interface Pushed {
  title: string;
  body: string;
  /** A new notification with the same tag replaces the older one on the device. */
  tag: string;
  /** The page it opens, a path of the app. */
  path: string;
  /** Buttons, each with the page it opens: the answers to a question. Browsers show two. */
  actions: { title: string; path: string }[];
  language: string;
  /** When it happened, milliseconds since 1970. */
  atMs: number;
  /** The person's unread notifications, this one included: the number on the app's icon. */
  unread: number;
}
