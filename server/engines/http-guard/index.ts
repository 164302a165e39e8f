// The door of the engine: an HTTP server that bounds what clients can hold. README.md says what it promises.

export { bounds } from './bounds.js';
export { type Refusals, type RefusedAnswer, requireHost } from './broken-request.js';
export {
  type ByteBudget,
  byteBudget,
  type CountedRequest,
  defaultBudgetBytes,
} from './byte-budget.js';
export { clientIp, forwardedHeaderWarning, trustProxies } from './client-ip.js';
export { listen, startListening } from './listen.js';
export { measureJson } from './measure-json.js';
export { type FormFile, readForm } from './read-form.js';
