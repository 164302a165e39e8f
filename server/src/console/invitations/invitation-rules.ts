// Whether an invitation can be accepted, and with which email. Conventions of the API, "Apps, team and dashboard".

/** An invitation that was accepted, replaced or revoked has no row. */
export function checkInvitation(invitation: { expiresAt: Date }, now: Date): 'open' | 'expired' {
  return now < invitation.expiresAt ? 'open' : 'expired';
}

/** A link for an owner of the service names no email: the person who opens it chooses one. */
export function checkInvitedEmail(
  invited: string | null,
  given: string | undefined,
): { email: string } | 'missing' | 'not-allowed' {
  if (invited !== null) return given === undefined ? { email: invited } : 'not-allowed';
  return given === undefined ? 'missing' : { email: given };
}
