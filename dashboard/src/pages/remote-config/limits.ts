// The limits of a remote config, from the contract.
import { limits } from '@foyer/contract';

export const configLimits = {
  parameters: limits.maxConfigParameters,
  characters: limits.maxConfigCharacters,
  nameCharacters: limits.maxConfigNameCharacters,
  descriptionCharacters: limits.maxConfigDescriptionCharacters,
  versions: limits.configVersionsKept,
};
