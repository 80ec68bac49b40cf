/** `readOnly`: the database is a standby. */
export type DatabaseState = 'ready' | 'away' | 'readOnly';

/** State of this feature that lives as long as the process. */
export interface OperationsState {
  /** The question to the database that is under way: concurrent requests share it. */
  asking: Promise<DatabaseState> | null;
  /** Whether the role of the app owns the tables, as the database said last. */
  ownsTables: boolean;
}

export const openOperations = (): OperationsState => ({ asking: null, ownsTables: false });
