// Notices of finished actions.
import { notifications } from '@mantine/notifications';
import { problemOf } from '../api-problem.ts';

const closeButtonProps = { 'aria-label': 'Close notice' };

export function notifySaved(message: string): void {
  notifications.show({ message, color: 'green', autoClose: 4_000, closeButtonProps });
}

export function notifyFailed(message: string): void {
  notifications.show({ message, color: 'red', autoClose: 10_000, closeButtonProps });
}

/** Shows the problem of an action without a form or dialog. */
export function notifyProblem(error: unknown): void {
  notifyFailed(problemOf(error).message);
}

/** Notices name data that the next member may not see. */
export function clearNotices(): void {
  notifications.clean();
}
