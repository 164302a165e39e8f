// What copying settings from another app changes.
import type { AppSettings } from '@foyer/contract';
import { expect, test } from 'vitest';
import { copiedFrom } from './copied-settings.ts';

const settings = (changed: object = {}) =>
  ({
    access_token_seconds: 900,
    second_factor: 'optional',
    tiers: [{ tier: 'member', min_points: 0 }],
    limits: { sign_ups_per_hour: 1_000 },
    mail: { from_name: 'Orchard', texts: {} },
    allowed_origins: [],
    v1_sunset_at: null,
    ...changed,
  }) as unknown as AppSettings;

test('nothing changes between equal settings', () => {
  expect(copiedFrom(settings(), settings())).toEqual({ patch: {}, names: [] });
});

test('only what differs is sent and named', () => {
  const from = settings({
    access_token_seconds: 300,
    second_factor: 'required',
    limits: { sign_ups_per_hour: 50 },
  });
  expect(copiedFrom(from, settings())).toEqual({
    patch: { access_token_seconds: 300, second_factor: 'required', limits: { sign_ups_per_hour: 50 } },
    names: ['Access token lifetime', 'Second factor', 'Hourly limits'],
  });
});

test('what belongs to one app is not copied', () => {
  const from = settings({
    allowed_origins: ['https://other.example'],
    v1_sunset_at: '2030-01-01T00:00:00Z',
    mail: { from_name: 'Other', texts: {} },
    provider_b: { team_id: 'A1B2C3D4E5' },
  });
  expect(copiedFrom(from, settings())).toEqual({ patch: {}, names: [] });
});
