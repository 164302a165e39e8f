// Random configurations of apps, for the round trip through files: texts that YAML could take for something else, and values at
// the edges of what the API accepts.
import {
  AppSettingsPatch,
  mailPurposes,
  ParametersInput,
  WebhookDeclaration,
  webhookTypes,
} from '@foyer/contract';
import type { Chance } from './bad-values.js';
import { jsonValue } from './json-values.js';

const texts = [
  ...[
    'yes',
    'null',
    '~',
    'true',
    '1e3',
    '0x1F',
    '0o7',
    '.inf',
    '-0',
    '1_000',
    '2026-01-01',
    '12:30',
    '=',
    '<<',
  ],
  ...[
    '- a',
    '# x',
    'a # b',
    ': ',
    'a: b',
    'a:',
    '?',
    '"q"',
    "it's",
    "''",
    '|',
    '>',
    '%YAML',
    '---',
    '...',
    '---\na',
  ],
  ...[
    '&a',
    '*a',
    '!t',
    '@',
    '`',
    '{',
    '[',
    ',',
    `\${X}`,
    `$\${X}`,
    '\\',
    '\\n',
    ' lead',
    'trail ',
    '\ttab',
    'tab\t',
  ],
  ...[
    'a\nb',
    'a\n\n\nb\n',
    '\na',
    'a\n',
    'a \n b',
    '  a\nb',
    '\u00a0',
    '\u2028',
    '\u2029',
    '\u0085',
    '\ufeff',
    '😀',
    'é',
  ],
  ...[
    'مرحبا',
    '你好',
    '\u200e',
    '\u202e',
    '\u007f',
    'x'.repeat(200),
    `${'word '.repeat(40)}end`,
    'a\r\nb',
    '\r',
    '\u0001',
  ],
];

/** Texts that show something, as the words of mails do. */
const visibleTexts = texts.filter((text) => /[^\p{White_Space}\p{Cc}\p{Cf}]/u.test(text));

/** One line without control characters, as the sender and the subjects of mails need it. */
const plainTexts = visibleTexts.filter((text) => !/[\p{Cc}<>"]/u.test(text) && [...text].length <= 100);

const labels = plainTexts.filter((text) => [...text].length <= 60);

export type RandomApp = {
  settings: AppSettingsPatch;
  parameters: ReturnType<typeof ParametersInput.parse>;
  collections: { name: string; access_mode: string; on_user_delete: string; indexed_fields: string[] }[];
  webhooks: WebhookDeclaration[];
};

export function randomApp(chance: Chance): RandomApp {
  return {
    settings: randomSettings(chance),
    parameters: randomParameters(chance),
    collections: someOf(chance, ['notes', 'Notes', 'a-1', 'yes', 'constructor']).map((name) => ({
      name,
      access_mode: chance.pick(['admin', 'public_read', 'owner', 'shared']),
      on_user_delete: chance.pick(['delete', 'keep']),
      indexed_fields: someOf(chance, ['created', 'author.name', '$created_at', 'yes', '*', '# x']),
    })),
    webhooks: Array.from({ length: chance.number(4) }, () =>
      WebhookDeclaration.parse({
        url: `https://93.184.216.34/${chance.pick(['a', `b?c=\${d}`, `e?f=$\${g}`, '#h', 'i%20'])}`,
        description: chance.oneIn(3) ? null : chance.pick(texts),
        types: someOf(chance, webhookTypes.slice(0, 5)),
        enabled: !chance.oneIn(3),
      }),
    ),
  };
}

function randomSettings(chance: Chance): AppSettingsPatch {
  const maybe = <Value>(value: () => Value) => (chance.oneIn(3) ? undefined : value());
  const orNull = <Value>(value: () => Value) => (chance.oneIn(3) ? null : value());
  const ids = () => someOf(chance, ['1234', 'null', '0x1F', 'com.example.app', '~', '-', '#a', '1e3']);
  const id = () => orNull(() => chance.pick(['1234567890', 'ABCDE12345', 'no', '0777']));
  const factor = () => chance.pick([0.1, 0.5, 1, 1.5, 10]);
  const patch = {
    access_token_seconds: maybe(() => 300 + chance.number(600)),
    sign_up: maybe(() => chance.pick(['open', 'closed'])),
    second_factor: maybe(() => chance.pick(['off', 'optional', 'required'])),
    refuse_common_passwords: maybe(() => chance.oneIn(2)),
    new_device_notice: maybe(() => chance.oneIn(2)),
    deep_link: maybe(() => orNull(() => chance.pick(['https://app.example.com/in?a=b', 'orchard://in']))),
    allowed_origins: maybe(() => someOf(chance, ['https://*.example.com', 'null', 'capacitor://localhost'])),
    tiers: maybe(() => [
      { tier: 'member', min_points: 0 },
      ...(chance.oneIn(2)
        ? [{ tier: chance.pick(['yes', 'Gold', '1']), min_points: 1 + chance.number(9) }]
        : []),
    ]),
    rate_limits: maybe(() => ({ sign_in: factor(), client: factor() })),
    mail: maybe(() => ({
      from_name: orNull(() => chance.pick(plainTexts)),
      reply_to: orNull(() => 'help@example.com'),
      texts: Object.fromEntries(
        someOf(chance, mailPurposes).map((purpose) => [
          purpose,
          Object.fromEntries(
            someOf(chance, ['en', 'de', 'de-CH', 'zh-Hant-TW', 'no']).map((language) => [
              language,
              {
                subject: chance.pick(plainTexts),
                ...(purpose === 'sign_in' && chance.oneIn(2) && { button: chance.pick(labels) }),
                text: chance.pick(visibleTexts),
              },
            ]),
          ),
        ]),
      ),
    })),
    files: maybe(() => ({ allowed_types: orNull(() => ['image/*', 'application/pdf']) })),
    provider_a: maybe(() => ({ client_ids: { web: ids(), ios: ids() } })),
    provider_b: maybe(() => ({ services_ids: ids(), team_id: id(), key_id: id() })),
    providers: maybe(() =>
      Object.fromEntries(
        someOf(chance, ['yes', 'constructor', 'contoso', 'a-1']).map((provider) => [
          provider,
          {
            kind: 'oidc',
            name: chance.pick(['Contoso', '~', '1e3', 'é: #', '{']),
            issuer: chance.pick(['https://login.example.com', 'https://login.example.com/~a/']),
            client_ids: ['0x1F', ...ids()],
            trusts_email: chance.oneIn(2),
          },
        ]),
      ),
    ),
    passkeys: maybe(() =>
      orNull(() => ({
        rp_id: 'example.com',
        rp_name: chance.pick(plainTexts.filter((text) => [...text].length <= 64)),
        origins: ['https://app.example.com', 'https://example.com'],
      })),
    ),
    push: maybe(() => ({
      apns: { bundle_id: id() },
      web_push: { subject: orNull(() => 'mailto:push@example.com') },
    })),
    v1_sunset_at: maybe(() => orNull(() => '2027-01-31T00:00:00Z')),
  };
  return AppSettingsPatch.parse(JSON.parse(JSON.stringify(patch)));
}

function randomParameters(chance: Chance): RandomApp['parameters'] {
  const value = (type: string) => {
    if (type === 'string') return chance.pick(texts);
    if (type === 'number') return chance.pick([0, -1.5, 1e300, 5e-324, 2 ** 53 - 1, 0.1, 1e21, 10]);
    if (type === 'boolean') return chance.oneIn(2);
    return { list: [jsonValue(chance), chance.pick(texts)], [chance.pick(texts)]: jsonValue(chance) };
  };
  const names = someOf(chance, [
    'banner',
    'yes',
    'null',
    'constructor',
    'toString',
    '_',
    'a1',
    'telegram_url',
    'On',
  ]);
  return ParametersInput.parse(
    Object.fromEntries(
      names.map((name) => {
        const type = chance.pick(['string', 'number', 'boolean', 'json']);
        return [name, { type, value: value(type), description: chance.oneIn(2) ? '' : chance.pick(texts) }];
      }),
    ),
  );
}

function someOf<Item>(chance: Chance, items: readonly Item[]): Item[] {
  return items.filter(() => chance.oneIn(2));
}
