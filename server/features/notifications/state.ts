/** A notification of a message, in the order in which they came. */
interface Mark {
  at: Date;
  id: string;
}

/** Before all notifications. */
export const firstUnread: Mark = { at: new Date(0), id: '00000000-0000-0000-0000-000000000000' };

/** State of this feature that lives as long as the process. */
export interface NotificationsState {
  /** The last notification of a message that was compared with what its person has read since. */
  checked: Mark;
}

export const openNotifications = (): NotificationsState => ({ checked: firstUnread });
