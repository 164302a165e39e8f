// What the tests of random inputs start from. The same inputs come in every run, so that a run that fails says something
// of the change it was made for; FOYER_TEST_SEED=random looks for new ones, and its number repeats what a run has found.
const given = process.env.FOYER_TEST_SEED ?? '20260301';

export const seed = given === 'random' ? Math.floor(Math.random() * 2 ** 32) : Number(given);
