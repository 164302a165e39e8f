// The seed of random-input tests. It is fixed, so that a failing run is caused by the change under test;
// FOYER_TEST_SEED=random picks a new one, and its number repeats that run.
const given = process.env.FOYER_TEST_SEED ?? '20260301';

export const seed = given === 'random' ? Math.floor(Math.random() * 2 ** 32) : Number(given);
