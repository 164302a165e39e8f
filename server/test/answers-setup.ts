// Before every test file: a call whose answer breaks the contract fails its test, whoever made the call and whatever the
// test looked at.
import { afterAll, afterEach } from 'vitest';
import { requireContractAnswers } from './answer-findings.js';

afterEach(requireContractAnswers);
afterAll(requireContractAnswers);
