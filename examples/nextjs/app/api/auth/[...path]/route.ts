// Sign-in, refresh and sign-out for `cookieSession` in the browser.
import { sessions } from '../../../../lib/foyer-server';

export const POST = (request: Request) => sessions().handle(request);
