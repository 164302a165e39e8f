// Before a page is rendered: renews the access token of the request, if it is about to expire.
import { type NextRequest, NextResponse } from 'next/server';
import { sessions } from './lib/foyer-server';

export async function proxy(request: NextRequest) {
  const renewed = await sessions().renew(request.headers);
  return NextResponse.next({ request: { headers: renewed.request }, headers: renewed.response });
}

// Pages only: files are the same for everybody, and may be cached.
export const config = { matcher: '/((?!api/|_next/|icon.svg).*)' };
