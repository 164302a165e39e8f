// Capitalizes words of the service and of the contract at the beginning of a line.

export function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** The messages of the service continue the name of the field: "must not be empty". */
export function sentence(messages: readonly string[]): string {
  return `${capitalized(messages.join(', '))}.`;
}
