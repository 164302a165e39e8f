// A URL as it may be recorded and shown to the team: its query may authenticate the caller at the server.

export function withoutQuery(url: string): string {
  return url.replace(/[?#].*$/s, '');
}
