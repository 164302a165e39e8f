// Whether an answer of a mail server refuses a mail for good. An enhanced status code (RFC 3463) says what is refused: the
// recipient and the content stay as they are, but the sender's quota, reputation and configuration change. Dropping a mail
// loses it; trying again costs a dozen attempts. Hence only what is certainly about the recipient or the content is final.

export type SmtpAnswer = {
  /** The last command, as nodemailer names it. */
  command: string | undefined;
  responseCode: number | undefined;
  response: string;
};

export type RefusalVerdict = 'final' | 'temporary';

export function judgeRefusal({ command, responseCode, response }: SmtpAnswer): RefusalVerdict {
  if (responseCode === undefined || responseCode < 500) return 'temporary';
  // Before the recipient, everything concerns the sender; 503 is a broken conversation.
  if ((command !== 'RCPT TO' && command !== 'DATA') || responseCode === 503) return 'temporary';
  if (responseCode === 530 || responseCode === 535 || responseCode === 538) return 'temporary';
  const [, subject, detail] = enhancedCode.exec(response) ?? [];
  if (subject === undefined) return temporaryText.test(response) ? 'temporary' : 'final';
  return judgeEnhanced(Number(subject), Number(detail), response);
}

/** `550 5.4.5 …`, `550-5.4.5 …`, `550 #5.4.5`; not a part of an IP address. */
const enhancedCode = /(?<![\d.])5\.([0-7])\.(\d{1,3})(?!\.?\d)/;

/** Words of answers about the sender or the moment, of codes that servers use for everything, or without an enhanced code. */
const temporaryText =
  /quota exceeded|exceeded .*\b(quota|limit|rate)|limit (was |has been )?exceeded|sending (limit|quota|rate)|too many (messages|mails|emails|connections)|throttl|rate.?limit|\bcredits?\b|suspended for this account|account (is|has been|was) (suspended|disabled|under review)|pending approval|test mode|not (a )?verified|unverified|verified sender|sender (signature|identity|address|verify)|from address|unauthenticated|authentication|not authenticated|relay|not allowed to send|permission to send|send as\b|sendas|client host|your (ip|server|network)|black.?list|block.?list|spamhaus|barracuda|reputation|\bspf\b|\bdkim\b|\bdmarc\b|\bptr\b|reverse dns|starttls|\btls\b|outbound|temporar|try (again|later)|gr[ae]y.?list/i;

function judgeEnhanced(subject: number, detail: number, response: string): RefusalVerdict {
  switch (subject) {
    case 1:
      // 5.1.7 and 5.1.8 name the sender's address.
      return detail === 7 || detail === 8 || temporaryText.test(response) ? 'temporary' : 'final';
    case 2:
      return temporaryText.test(response) ? 'temporary' : 'final';
    case 3:
      // 5.3.4: the mail is too large. Otherwise the system is full, or accepts nothing now.
      return detail === 4 ? 'final' : 'temporary';
    case 4:
      // 5.4.5 is congestion, and at Gmail the sender's daily quota; the rest are routes of the recipient.
      return detail === 5 || detail === 0 || temporaryText.test(response) ? 'temporary' : 'final';
    case 5:
      // The protocol, which is for the operator to fix; 5.5.0 is what outlook.com says of an unknown mailbox.
      return detail === 0 && !temporaryText.test(response) ? 'final' : 'temporary';
    case 6:
      return 'final';
    case 7:
      return judgePolicy(detail, response);
    default:
      return temporaryText.test(response) ? 'temporary' : 'final';
  }
}

/**
 * Codes of Exchange: the recipient does not accept mail from this sender. Codes of RFC 7505 and 7293: the recipient no
 * longer exists.
 */
const policiesOfRecipient = new Set([13, 17, 18, 27, 121, 124, 129, 133, 134, 135, 136]);

/** 5.7.0 and 5.7.1 are used for everything; all others but those of the recipient concern the sender. */
function judgePolicy(detail: number, response: string): RefusalVerdict {
  if (policiesOfRecipient.has(detail)) return 'final';
  if (detail > 1) return 'temporary';
  return temporaryText.test(response) ? 'temporary' : 'final';
}
