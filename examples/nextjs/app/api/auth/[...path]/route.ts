// Sign-in, refresh and sign-out for `cookieSession` in the browser.
import { sessions } from '../../../../lib/foyer-server';

/**
 * The header in which the host of this app puts the browser's IP address, such as `X-Real-IP`, and which browsers therefore cannot
 * set themselves. The service limits sign-ins by IP; it must trust this app (`TRUST_PROXY`).
 */
const { CLIENT_IP_HEADER } = process.env;

export const POST = (request: Request) =>
  sessions().handle(request, CLIENT_IP_HEADER && request.headers.get(CLIENT_IP_HEADER));
