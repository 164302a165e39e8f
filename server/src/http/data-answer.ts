// Successful answers of the routes: a value in the envelope `data`, or no content.

export function ok<Data>(data: Data) {
  return { status: 200 as const, body: { data } };
}

export function created<Data>(data: Data) {
  return { status: 201 as const, body: { data } };
}

/** The work continues after the answer. */
export function accepted<Data>(data: Data) {
  return { status: 202 as const, body: { data } };
}

export const noContent = { status: 204 as const, body: undefined };
