// The call of a client without a credential, for tests that run an operation without HTTP.
import type { App } from '../src/model/app.js';
import type { Call } from '../src/model/call.js';

export function callIn<Part extends Partial<Call>>(app: App, part: Part = {} as Part): Call & Part {
  const ip = null;
  const device = { name: null, type: 'unknown', os: null, browser: null, appVersion: null } as const;
  const readDevice = () => device;
  return {
    ...{ app, ip, readDevice, actor: { name: 'anonymous', ip } },
    ...{ uid: null, session: null, v1Token: null, secretKey: null, member: null },
    ...{ language: undefined, deviceToken: null, codeFlow: undefined, authorizeAgain: async () => {} },
    ...part,
  };
}
