// Messages between the tabs of a browser.

/** The used subset of `BroadcastChannel`. */
export interface StorageChannel {
  /** Sends a message to every other tab. */
  postMessage(message: unknown): void;
  /** Stops receiving messages. */
  close(): void;
}

export function broadcast(name: string, onMessage: (message: unknown) => void): StorageChannel {
  const channel = new BroadcastChannel(name);
  channel.onmessage = ({ data }) => onMessage(data);
  // Without `unref`, which only Node has, the channel would keep the process alive.
  (channel as { unref?(): void }).unref?.();
  return channel;
}
