// The door of the engine: periodic steps, in each instance or once for all of them. README.md says what it promises.
export { type PeriodicSteps, type Step, stepsOfEach, stepsOfOne } from './periodic-steps.js';
