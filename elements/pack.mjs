// Packs the elements from their build: `node elements/pack.mjs [folder]` writes foyer-elements-<version>.tgz there.
import { packPackage } from '../sdk/pack-package.mjs';

packPackage(import.meta.dirname, process.argv[2]);
