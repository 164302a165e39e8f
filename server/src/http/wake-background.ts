// Wakes the background work once a request that may write has ended. Its transaction has committed then, unless the client
// disconnected first: a later poll finds what it leaves.
import type { NextFunction, Request, Response } from 'express';
import type { Deps } from '../deps.js';

const reads = ['GET', 'HEAD', 'OPTIONS'];

export function wakeBackground({ background }: Pick<Deps, 'background'>) {
  return (req: Request, res: Response, next: NextFunction): void => {
    if (!reads.includes(req.method)) res.on('close', () => background.wake());
    next();
  };
}
