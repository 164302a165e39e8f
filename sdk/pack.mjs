// Packs the SDK from its build: `node sdk/pack.mjs [folder]` writes foyer-sdk-<version>.tgz there.
import { packPackage } from './pack-package.mjs';

packPackage(import.meta.dirname, process.argv[2]);
