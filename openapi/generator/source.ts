// The input of the generator: the contract of one API version, and the texts that are not in the contract.
import type { z } from 'zod';
import type { ErrorAnswers } from './error-answers.js';
import type { AnswerHeader } from './headers.js';
import type { Groups } from './routes.js';

export type DocumentSource = {
  title: string;
  version: string;
  introduction: string;
  baseUrl: { default: string; description: string };
  groups: Groups;
  groupTexts: Record<string, { title: string; description: string }>;
  /** True if every operation is deprecated. */
  deprecated?: boolean;
  /** Whether the SDK speaks this version. */
  sdk?: boolean;
  /** Headings for the tags, each of which is under exactly one. */
  tagGroups?: { name: string; tags: string[] }[];
  errorEnvelope: z.ZodType;
  errors: ErrorAnswers;
  /** What a user's bearer token is. */
  userToken: { bearerFormat?: string; description: string };
  /** Headers of every answer. */
  headers: AnswerHeader[];
  /** What the service itself sends. */
  webhook?: { name: string; tag: string; summary: string; description: string; payload: z.ZodType };
};
