// The content of each section of the settings.
import type { ComponentType } from 'react';
import { type SectionName, settingsSections } from '../../settings-sections.ts';
import { Advanced } from './advanced.tsx';
import { AllowedOrigins } from './allowed-origins.tsx';
import { AppAsFiles } from './app-as-files.tsx';
import { Apple } from './apple.tsx';
import { Collections } from './collections.tsx';
import { CopySettings } from './copy-settings.tsx';
import { DeepLink } from './deep-link.tsx';
import { Files } from './files.tsx';
import { Google } from './google.tsx';
import { Limits } from './limits.tsx';
import { Mail } from './mail.tsx';
import { OtherProviders } from './other-providers.tsx';
import { Passkeys } from './passkeys.tsx';
import { Push } from './push.tsx';
import { SecondFactor } from './second-factor.tsx';
import { SignInMethods } from './sign-in-methods.tsx';
import { Tiers } from './tiers.tsx';
import type { SectionProps } from './use-section.ts';
import { V1 } from './v1.tsx';

const panels: Record<SectionName, ComponentType<SectionProps>> = {
  methods: SignInMethods,
  google: Google,
  apple: Apple,
  providers: OtherProviders,
  passkeys: Passkeys,
  'second-factor': SecondFactor,
  'deep-link': DeepLink,
  mail: Mail,
  tiers: Tiers,
  limits: Limits,
  files: Files,
  data: Collections,
  origins: AllowedOrigins,
  push: Push,
  v1: V1,
  'sign-in': Advanced,
  copy: CopySettings,
  'as-files': AppAsFiles,
};

export const sections = settingsSections.map((section) => ({ ...section, panel: panels[section.name] }));
