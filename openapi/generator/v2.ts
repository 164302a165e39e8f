// What the v2 document says beside the contract: its title, its introduction and the words for each group of routes.
import { contract, ErrorEnvelope } from '@foyer/contract';
import type { DocumentSource } from './document.js';
import { introduction } from './v2-introduction.js';

const groupTexts: Record<keyof typeof contract, { title: string; description: string }> = {
  signIn: {
    title: 'Sign-in',
    description: 'Ways in: each call starts a session and answers with its first pair of tokens.',
  },
  passwords: {
    title: 'Passwords',
    description: 'Forgotten, reset and changed passwords.',
  },
  sessions: {
    title: 'Sessions',
    description: 'Staying signed in, signing out, and the devices a user is signed in on.',
  },
  profile: {
    title: 'Profile',
    description: 'What the signed-in user can read and change of the own account.',
  },
  identities: {
    title: 'Identities',
    description: 'The identity providers that the signed-in user has linked.',
  },
  tokens: {
    title: 'Tokens',
    description:
      'What anybody needs to verify an access token: public documents, without app key or envelope.',
  },
  apps: {
    title: 'Apps',
    description: "What the app's own backend reads and sets, with a secret key.",
  },
};

export const v2: DocumentSource = {
  title: 'Foyer API',
  version: '2',
  introduction,
  baseUrl: {
    default: 'http://localhost:3000/api/v2',
    description: 'Where the service is reached, with the version in it.',
  },
  groups: contract,
  groupTexts,
  errorEnvelope: ErrorEnvelope,
};
