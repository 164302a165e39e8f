// The door of the engine: queries on JSON documents with Firestore's semantics. README.md says what it promises.
export { conditionSql, containsSql, needsRecheck, sourceOf, valueSql } from './condition-sql.js';
export { inexactNumber } from './inexact-number.js';
export { matches } from './matches.js';
export { cursorAfter, parseQuery, type QueryInput } from './parse-query.js';
export { isAfterStart, type Query } from './query.js';
export { type AccessPath, type AccessPaths, accessPaths, type FieldIndex, type Scan } from './scan.js';
export { indexKeyOf, isNested } from './sort-key.js';
export { type Match, type TopN, topN } from './top-n.js';
