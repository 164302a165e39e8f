// The contract's types of a route, and type comparisons.
import type { contract } from '@foyer/contract';
import type { z } from 'zod';

export type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
/** Aliases and intersections are written out, so that equal shapes compare as equal. */
type Flat<T> = T extends object ? { [K in keyof T]: Flat<T[K]> } : T;
export type Same<A, B> = Equal<Flat<A>, Flat<B>>;
/** Does not compile unless the condition holds. */
export type Holds<T extends true> = T;

type Contract = typeof contract;
type AnyRoute = { [G in keyof Contract]: Contract[G][keyof Contract[G]] }[keyof Contract];
type RouteAt<R extends string> = R extends `${infer Method} ${infer Path}`
  ? Extract<AnyRoute, { method: Method; path: Path }>
  : never;
type Part<R extends string, Name extends string> =
  RouteAt<R> extends { [N in Name]: infer Schema extends z.ZodType } ? z.input<Schema> : never;

export type BodyOf<R extends string> = Part<R, 'body'>;
export type QueryOf<R extends string> = Part<R, 'query'>;
/** The `data` of the successful responses; `void` when they have no body. */
export type AnswerOf<R extends string> = DataOf<Successes<RouteAt<R>['responses']>>;

type Success = 200 | 201 | 202 | 204;
type Successes<Responses> = { [S in keyof Responses & Success]: Responses[S] }[keyof Responses & Success];
// biome-ignore lint/suspicious/noConfusingVoidType: a call without a result resolves to void.
type DataOf<Answer> = Answer extends z.ZodType<{ data: infer Data }> ? Data : void;

/** The routes whose methods resolve to a type other than the contract's response. */
export type Mismatches<Calls extends Record<string, (...args: never[]) => unknown>> = {
  [R in keyof Calls & string]: Same<Awaited<ReturnType<Calls[R]>>, AnswerOf<R>> extends true ? never : R;
}[keyof Calls & string];
