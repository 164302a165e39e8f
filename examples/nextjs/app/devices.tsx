'use client';
import type { SessionInfo } from '@foyer/sdk';
import { useEffect, useState } from 'react';
import { type Connection, foyer } from '../lib/foyer-browser';

/** Fetched by the browser, straight from the service, with an access token. */
export function Devices({ connection }: { connection: Connection }) {
  const [devices, setDevices] = useState<SessionInfo[]>();
  const [failure, setFailure] = useState<string>();
  const { baseUrl, appKey } = connection;

  useEffect(() => {
    foyer({ baseUrl, appKey })
      .me.sessions()
      .then(
        ({ items }) => setDevices(items),
        (error) => setFailure(error.code),
      );
  }, [baseUrl, appKey]);

  if (failure) return <p role="alert">The devices cannot be shown: {failure}</p>;
  if (!devices) return <p>Loading your devices…</p>;
  return (
    <section>
      <h2>Devices</h2>
      <ul>
        {devices.map(({ id, device, current }) => (
          <li key={id}>
            {[device.browser, device.os].filter(Boolean).join(' on ') || 'Unknown device'}
            {current && ' (this one)'}
          </li>
        ))}
      </ul>
    </section>
  );
}
