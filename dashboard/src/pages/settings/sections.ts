// The sections of the settings, in the order of the page.
import type { ComponentType } from 'react';
import { AllowedOrigins } from './allowed-origins.tsx';
import { Apple } from './apple.tsx';
import { Collections } from './collections.tsx';
import { DeepLink } from './deep-link.tsx';
import { Files } from './files.tsx';
import { Google } from './google.tsx';
import { Limits } from './limits.tsx';
import { Mail } from './mail.tsx';
import { Push } from './push.tsx';
import { SignIn } from './sign-in.tsx';
import { Tiers } from './tiers.tsx';
import type { SectionProps } from './use-section.ts';
import { V1 } from './v1.tsx';

export type Section = { name: string; label: string; panel: ComponentType<SectionProps> };

export const sections: readonly [Section, ...Section[]] = [
  { name: 'sign-in', label: 'Sign-in', panel: SignIn },
  { name: 'deep-link', label: 'Deep link', panel: DeepLink },
  { name: 'google', label: 'Google', panel: Google },
  { name: 'apple', label: 'Apple', panel: Apple },
  { name: 'mail', label: 'Mail', panel: Mail },
  { name: 'tiers', label: 'Loyalty tiers', panel: Tiers },
  { name: 'limits', label: 'Limits', panel: Limits },
  { name: 'files', label: 'Files', panel: Files },
  { name: 'data', label: 'Data', panel: Collections },
  { name: 'origins', label: 'Allowed origins', panel: AllowedOrigins },
  { name: 'push', label: 'Push', panel: Push },
  { name: 'v1', label: 'API v1', panel: V1 },
];
