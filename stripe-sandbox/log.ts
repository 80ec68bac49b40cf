/** What the sandbox says of its own failures; pino's logger fits. */
export interface Log {
  error(facts: object, message: string): void;
}
