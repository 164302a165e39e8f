// What the forms that add points say before they are sent.
import { limits } from '@foyer/contract';

/** From here on a form asks whether the number is right. */
export const largePoints = 10_000;

export function isLarge(points: number | string): points is number {
  return typeof points === 'number' && Math.abs(points) >= largePoints;
}

/** Why the service would refuse the entry; null if it would not. */
export function balanceFault(balance: number, points: number): string | null {
  const has = `The user has ${balance.toLocaleString()} points`;
  if (balance + points < 0) return `${has}, and the balance is never below zero.`;
  return balance + points > limits.maxPoints
    ? `${has}, and the balance is never above ${limits.maxPoints.toLocaleString()}.`
    : null;
}
