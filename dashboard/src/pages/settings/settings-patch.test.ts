// What a section of the settings sends.
import { describe, expect, test } from 'vitest';
import { blankAsNull, changesBetween, faultsIn } from './settings-patch.ts';

describe('the changes of a section', () => {
  test('are the changed settings only, objects key by key and arrays as a whole', () => {
    const before = { sign_up: 'open', files: { max_bytes: 1, allowed_types: ['a/b'] }, tiers: [1] };
    const after = { sign_up: 'open', files: { max_bytes: 1, allowed_types: ['a/b', 'c/d'] }, tiers: [1] };
    expect(changesBetween(before, after)).toEqual({ files: { allowed_types: ['a/b', 'c/d'] } });
    expect(changesBetween(before, before)).toEqual({});
  });

  test('remove an entry of a map with null', () => {
    const before = { texts: { reset: { de: { subject: 'Neu', text: 'Hallo' } } } };
    const after = { texts: { reset: {} } };
    expect(changesBetween({ mail: before }, { mail: after })).toEqual({
      mail: { texts: { reset: { de: null } } },
    });
  });

  test('contain a text of a mail as a whole, of which one part was changed', () => {
    const values = (client: number, subject: string) => ({
      rate_limits: { client, backend: 1 },
      mail: { from_name: 'Orchard', texts: { reset: { de: { subject, text: 'Hallo' } } } },
    });
    const changes = changesBetween(values(1, 'Neu'), values(2, 'Neues Passwort'));
    expect(changes).toEqual({
      rate_limits: { client: 2 },
      mail: { texts: { reset: { de: { subject: 'Neues Passwort', text: 'Hallo' } } } },
    });
    expect(faultsIn(changes)).toEqual({});
  });

  test('send an empty input as null, but no secret that was not entered', () => {
    const values = (private_key: string | null | undefined) => ({ provider_b: { key_id: '', private_key } });
    const before = blankAsNull(values(undefined));
    expect(changesBetween(before, blankAsNull(values('')))).toEqual({});
    expect(changesBetween(before, blankAsNull(values(null)))).toEqual({ provider_b: { private_key: null } });
    expect(changesBetween(before, blankAsNull(values('key')))).toEqual({
      provider_b: { private_key: 'key' },
    });
    expect(blankAsNull(values(''))).toEqual({ provider_b: { key_id: null } });
  });
});

test('faults have the path of the setting and the message of the contract', () => {
  expect(faultsIn({ access_token_seconds: 60 })).toEqual({ access_token_seconds: ['must be at least 300'] });
  expect(faultsIn({ sign_up: 'closed' })).toEqual({});
});
