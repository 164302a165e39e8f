// Checks that every statement can run where the tables are distributed by app (docs/scaling.md). Statements are parsed by
// PostgreSQL's own parser.
import { loadModule, type Node, parse, type RangeVar, type SelectStmt } from 'libpg-query';
import { distributedTables, referenceTables } from './distribution.js';

const checked = new Set<string>();
const waiting = new Set<string>();

export function collectStatement(sql: string): void {
  if (!checked.has(sql)) waiting.add(sql);
}

/** Throws if a statement that was sent since the last call breaks a rule. */
export async function checkStatements(): Promise<void> {
  await loadModule();
  const broken: string[] = [];
  for (const sql of waiting) {
    checked.add(sql);
    for (const rule of await brokenRules(sql)) broken.push(`${rule}:\n${sql}`);
  }
  waiting.clear();
  if (broken.length > 0)
    throw new Error(`statements that cannot be distributed by app:\n\n${broken.join('\n\n')}`);
}

/** The rules that a statement breaks, as sentences. */
export async function brokenRules(sql: string): Promise<string[]> {
  const { stmts = [] } = await parse(sql);
  return stmts.flatMap(({ stmt }) => (stmt ? rulesBrokenBy(stmt) : []));
}

/** What a statement does, over all its queries. */
type Found = {
  /** Distributed tables whose app is given by a value, and those where it is not. */
  named: Set<string>;
  unnamed: Set<string>;
  writes: boolean;
  writesReference: boolean;
  writesInCte: boolean;
  locks: boolean;
  recursive: boolean;
  lateral: boolean;
  usesCtid: boolean;
  /** The number of tables in all queries of the statement. */
  tables: number;
  /** A condition that is a value: it may leave out a table. */
  valueAsCondition: boolean;
  /** An INSERT ... VALUES with a subquery. */
  subqueryInInsert: boolean;
  /** An INSERT ... SELECT that leaves out rows in conflict: without RETURNING its count is that of the selected rows. */
  countsConflicts: boolean;
  /** Functions of an UPDATE or its RETURNING that are not immutable. */
  stable: Set<string>;
};

function rulesBrokenBy(statement: Node): string[] {
  const found: Found = {
    named: new Set(),
    unnamed: new Set(),
    writes: false,
    writesReference: false,
    writesInCte: false,
    locks: false,
    recursive: false,
    lateral: false,
    usesCtid: false,
    tables: 0,
    valueAsCondition: false,
    subqueryInInsert: false,
    countsConflicts: false,
    stable: new Set(),
  };
  visit(statement, { ctes: new Set(), top: true }, found);
  const tables = [...found.unnamed].join(', ');
  const broken: string[] = [];
  if (found.writesReference && found.named.size + found.unnamed.size > 0) {
    broken.push('writes a table that is on every machine together with tables of an app');
  }
  if (found.writes && found.valueAsCondition && found.tables > 1) {
    broken.push('writes, and has a value as a condition, which may leave out a table');
  }
  if (found.subqueryInInsert) broken.push('has a subquery in INSERT ... VALUES');
  if (found.countsConflicts)
    broken.push('counts the rows of INSERT ... SELECT ... ON CONFLICT without RETURNING');
  for (const name of found.stable) broken.push(`updates with ${name}(), which is not immutable`);
  if (found.unnamed.size === 0) return broken;
  if (found.named.size > 0) broken.push(`names an app, but not by a value for ${tables}`);
  const one = 'over all apps it';
  if (found.locks) broken.push(`${one} locks rows of ${tables}`);
  if (found.recursive) broken.push(`${one} is recursive`);
  if (found.lateral) broken.push(`${one} joins LATERAL`);
  if (found.usesCtid) broken.push(`${one} finds rows by ctid, which is unique on one machine only`);
  if (found.writesInCte) broken.push(`${one} writes in a CTE`);
  return broken;
}

type Scope = { ctes: Set<string>; top: boolean };
type Query = SelectStmt & {
  relation?: RangeVar;
  usingClause?: Node[];
  cols?: Node[];
  selectStmt?: Node;
  onConflictClause?: { action?: string; whereClause?: Node };
  returningClause?: unknown;
};

/**
 * The stable functions that statements use. A function of values only is evaluated before the statement is distributed.
 */
const stableFunctions =
  /^(jsonb?_build_object|jsonb?_build_array|to_jsonb?|row_to_json|jsonb?_agg|to_char|concat|concat_ws|format)$/;

const writes = ['InsertStmt', 'UpdateStmt', 'DeleteStmt'];

function visit(node: unknown, scope: Scope, found: Found): void {
  if (Array.isArray(node)) {
    for (const each of node) visit(each, scope, found);
  } else if (typeof node === 'object' && node !== null) {
    for (const [kind, value] of Object.entries(node)) {
      if (kind === 'SelectStmt' || writes.includes(kind)) visitQuery(kind, value, scope, found);
      // The two sides of a UNION are queries without the name of their kind.
      else if ((kind === 'larg' || kind === 'rarg') && 'targetList' in value) {
        visitQuery('SelectStmt', value, scope, found);
      } else {
        if (kind === 'ColumnRef' && columnOf(node as Node).at(-1) === 'ctid') found.usesCtid = true;
        if (kind === 'RangeSubselect' && value.lateral) found.lateral = true;
        visit(value, scope, found);
      }
    }
  }
}

function visitQuery(kind: string, query: Query, scope: Scope, found: Found): void {
  const defined = (query.withClause?.ctes ?? []).map((cte) =>
    'CommonTableExpr' in cte ? cte.CommonTableExpr.ctename : '',
  );
  const inner = { ctes: new Set([...scope.ctes, ...defined.map((name) => name ?? '')]), top: false };
  if (query.withClause?.recursive) found.recursive = true;
  if (query.lockingClause) found.locks = true;
  const isWrite = writes.includes(kind);
  const target = query.relation?.relname ?? '';
  if (isWrite && referenceTables.includes(target)) found.writesReference = true;
  if (isWrite) found.writes = true;
  if (isWrite && !scope.top) found.writesInCte = true;

  const sources = tablesOf([...(query.fromClause ?? []), ...(query.usingClause ?? [])]);
  if (isWrite && kind !== 'InsertStmt' && query.relation) sources.push(query.relation);
  const tables = sources.filter(({ relname = '' }) => !inner.ctes.has(relname));
  const values = appsGivenIn(query);
  found.tables += tables.length;
  if (conditionsOf(query).some((condition) => isValue(condition) && !isTrue(condition)))
    found.valueAsCondition = true;
  if (kind === 'UpdateStmt' && distributedTables.includes(target)) findStable(query.targetList, found);
  for (const { relname = '', alias } of tables) {
    if (!distributedTables.includes(relname)) continue;
    const isNamed = values.has(alias?.aliasname ?? relname) || (values.has('') && tables.length === 1);
    (isNamed ? found.named : found.unnamed).add(relname);
  }
  if (kind === 'InsertStmt' && distributedTables.includes(target)) {
    const { selectStmt } = query;
    const insertsValues = selectStmt && 'SelectStmt' in selectStmt && selectStmt.SelectStmt.valuesLists;
    const { action, whereClause } = query.onConflictClause ?? {};
    const isSkipping = action === 'ONCONFLICT_NOTHING' || whereClause !== undefined;
    if (!insertsValues && isSkipping && !query.returningClause) found.countsConflicts = true;
    if (insertsValues && JSON.stringify(query).includes('"SubLink"')) found.subqueryInInsert = true;
    (insertsIntoOneApp(query) ? found.named : found.unnamed).add(target);
  }
  const { relation: _, ...rest } = query;
  visit(rest, inner, found);
}

/** Calls with a column among their arguments. */
function findStable(node: unknown, found: Found): void {
  if (Array.isArray(node)) {
    for (const each of node) findStable(each, found);
  } else if (typeof node === 'object' && node !== null) {
    for (const [kind, value] of Object.entries(node)) {
      const name = kind === 'FuncCall' ? nameOf(value.funcname) : '';
      if (stableFunctions.test(name) && JSON.stringify(value).includes('"ColumnRef"')) found.stable.add(name);
      findStable(value, found);
    }
  }
}

function nameOf(parts: Node[]): string {
  const last = parts.at(-1);
  return last && 'String' in last ? (last.String.sval ?? '') : '';
}

/** The tables of a FROM clause; its subqueries are visited on their own. */
function tablesOf(from: Node[]): RangeVar[] {
  return from.flatMap((item) => {
    if ('RangeVar' in item) return [item.RangeVar];
    if (!('JoinExpr' in item)) return [];
    const { larg, rarg } = item.JoinExpr;
    return tablesOf([larg, rarg].filter((side) => side !== undefined));
  });
}

/** The aliases `a` of a query with a condition `a.app_id = value`; '' for a condition `app_id = value`. */
function appsGivenIn(query: Query): Set<string> {
  const given = new Set<string>();
  for (const condition of conditionsOf(query)) {
    if (!('A_Expr' in condition)) continue;
    const { name, lexpr, rexpr, kind } = condition.A_Expr;
    if (kind !== 'AEXPR_OP' || !name?.[0] || !('String' in name[0]) || name[0].String.sval !== '=') continue;
    for (const [side, other] of [
      [lexpr, rexpr],
      [rexpr, lexpr],
    ]) {
      const column = columnOf(side);
      if (column.at(-1) === 'app_id' && isValue(other)) given.add(column.at(-2) ?? '');
    }
  }
  return given;
}

function conditionsOf(query: Query): Node[] {
  return [query.whereClause, ...(query.fromClause ?? []).flatMap(joinConditions)].flatMap(conjuncts);
}

function joinConditions(item: Node): (Node | undefined)[] {
  if (!('JoinExpr' in item)) return [];
  const { larg, rarg, quals } = item.JoinExpr;
  return [quals, ...(larg ? joinConditions(larg) : []), ...(rarg ? joinConditions(rarg) : [])];
}

function conjuncts(condition: Node | undefined): Node[] {
  if (!condition) return [];
  if (!('BoolExpr' in condition) || condition.BoolExpr.boolop !== 'AND_EXPR') return [condition];
  return (condition.BoolExpr.args ?? []).flatMap(conjuncts);
}

/** `a.b` as ['a', 'b']. */
function columnOf(node: Node | undefined): string[] {
  if (!node || !('ColumnRef' in node)) return [];
  return (node.ColumnRef.fields ?? []).map((field) => ('String' in field ? (field.String.sval ?? '') : ''));
}

function isValue(node: Node | undefined): boolean {
  if (!node) return false;
  if ('TypeCast' in node) return isValue(node.TypeCast.arg);
  return 'ParamRef' in node || 'A_Const' in node;
}

function isTrue(node: Node): boolean {
  return 'A_Const' in node && node.A_Const.boolval?.boolval === true;
}

function insertsIntoOneApp({ cols = [], selectStmt }: Query): boolean {
  const place = cols.findIndex((column) => 'ResTarget' in column && column.ResTarget.name === 'app_id');
  const source = selectStmt && 'SelectStmt' in selectStmt ? selectStmt.SelectStmt : {};
  if (source.valuesLists) {
    return source.valuesLists.every((row) => 'List' in row && isValue(row.List.items?.[place]));
  }
  const selected = source.targetList?.[place];
  if (!selected || !('ResTarget' in selected)) return false;
  const [table, column] = columnOf(selected.ResTarget.val);
  return isValue(selected.ResTarget.val) || (column === 'app_id' && appsGivenIn(source).has(table ?? ''));
}
