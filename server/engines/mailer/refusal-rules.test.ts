// Answers of mail servers as providers send them. The texts are theirs.
import { describe, expect, test } from 'vitest';
import { judgeRefusal } from './refusal-rules.js';

type Row = [command: 'RCPT TO' | 'DATA' | 'MAIL FROM' | 'AUTH PLAIN', response: string];

const judge = ([command, response]: Row) =>
  judgeRefusal({ command, response, responseCode: Number(response.slice(0, 3)) });

describe('the recipient or the content is refused for good', () => {
  test.each<Row>([
    ['RCPT TO', '550-5.1.1 The email account that you tried to reach does not exist. gsmtp'],
    ['RCPT TO', '550 5.1.1 <a@b.c>: Recipient address rejected: User unknown in virtual mailbox table'],
    ['RCPT TO', '550-5.1.1 Please try double-checking the recipient’s email address for typos. gsmtp'],
    ['RCPT TO', '550-5.2.1 The email account that you tried to reach is disabled. gsmtp'],
    ['RCPT TO', '552-5.2.2 The email account that you tried to reach is over quota. gsmtp'],
    ['RCPT TO', '550 5.1.10 RESOLVER.ADR.RecipientNotFound; Recipient not found by SMTP address lookup'],
    ['RCPT TO', '550 5.4.1 Recipient address rejected: Access denied. AS(201806281)'],
    ['RCPT TO', '550 5.7.133 RESOLVER.RST.SenderNotAuthenticatedForGroup; not accepted by the group'],
    ['RCPT TO', '550 5.5.0 Requested action not taken: mailbox unavailable (S2017062302)'],
    ['RCPT TO', '550 5.4.4 <a@b.c>: Recipient address rejected: Domain not found'],
    ['RCPT TO', '556 5.1.10 <a@b.c>: Recipient address rejected: Domain does not accept mail (nullMX)'],
    ['RCPT TO', '550 5.0.0 No such user here'],
    ['RCPT TO', '550 No such user here'],
    ['RCPT TO', '553 sorry, that domain is not in my list of allowed recipients'],
    ['RCPT TO', '550 Inactive recipient'],
    ['DATA', '552-5.3.4 Your message exceeded Google’s message size limits. gsmtp'],
    [
      'DATA',
      '552-5.7.0 This message was blocked because its content presents a potential security issue. gsmtp',
    ],
    ['DATA', '554 5.6.0 Message contains invalid header'],
    ['DATA', '554 5.7.1 Message rejected as spam by content filtering'],
    ['DATA', '554 Transaction failed: Illegal address'],
    ['DATA', '500 Line too long'],
  ])('%s: %s', (...row) => {
    expect(judge(row)).toBe('final');
  });
});

test('of the codes of policies, those about the recipient alone are final', () => {
  const codes = Array.from({ length: 200 }, (_, detail) => detail).filter((detail) => detail > 1);
  const final = codes.filter((detail) => judge(['RCPT TO', `550 5.7.${detail} Refused`]) === 'final');
  expect(final).toEqual([13, 17, 18, 27, 121, 124, 129, 133, 134, 135, 136]);
});

describe('what concerns the sender, the connection or the moment is tried again', () => {
  test.each<Row>([
    // Gmail and Google Workspace
    ['DATA', '550-5.4.5 Daily user sending limit exceeded. For more information on Gmail sending limits'],
    ['RCPT TO', '550 5.4.5 Daily SMTP relay sending limit exceeded for customer. gsmtp'],
    ['RCPT TO', '550-5.7.1 Daily SMTP relay limit exceeded for customer. gsmtp'],
    ['DATA', '550-5.7.26 This mail has been blocked because the sender is unauthenticated. gsmtp'],
    ['DATA', '550-5.7.25 The IP address sending this message does not have a PTR record setup. gsmtp'],
    [
      'DATA',
      '550-5.7.28 There is an unusual rate of unsolicited mail originating from your IP address. gsmtp',
    ],
    ['RCPT TO', '550-5.7.1 Invalid credentials for relay [192.0.2.1]. gsmtp'],
    ['DATA', '421-4.7.0 This message is suspicious due to the very low reputation of the sending IP. gsmtp'],
    // Amazon SES
    ['DATA', '454 Throttling failure: Maximum sending rate exceeded.'],
    ['DATA', '454 Throttling failure: Daily message quota exceeded.'],
    [
      'DATA',
      '554 Message rejected: Email address is not verified. The following identities failed the check in region EU-WEST-1: x',
    ],
    [
      'DATA',
      '554 Message rejected: Sending suspended for this account. For more information, please check the inbox',
    ],
    ['MAIL FROM', '554 Access denied: User is not authorized to perform ses:SendRawEmail'],
    // Postmark
    ['DATA', '550 Sender signature not found for the From address'],
    ['DATA', '550 Your account is pending approval, you can send to your own domain only'],
    // SendGrid
    [
      'DATA',
      '550 The from address does not match a verified Sender Identity. Mail cannot be sent until this error is resolved.',
    ],
    ['RCPT TO', '550 Unauthenticated senders not allowed'],
    ['AUTH PLAIN', '451 Authentication failed: Maximum credits exceeded'],
    ['RCPT TO', '550 Maximum credits exceeded'],
    // Exchange Online
    ['DATA', '550 5.1.8 Access denied, bad outbound sender'],
    ['RCPT TO', '550 5.7.705 Access denied, tenant has exceeded threshold'],
    ['RCPT TO', '550 5.7.708 Access denied, traffic not accepted from this IP'],
    [
      'RCPT TO',
      '550 5.7.232 Your message can’t be sent because your trial tenant has exceeded its daily limit',
    ],
    ['RCPT TO', '550 5.7.501 Access denied, spam abuse detected'],
    ['DATA', '554 5.2.0 STOREDRV.Submission.Exception:OutboundSpamException; Failed to process message'],
    ['DATA', '554 5.2.252 SendAsDenied; ada@example.com not allowed to send as bob@example.com'],
    ['DATA', '550 5.7.60 SMTP; Client does not have permissions to send as this sender'],
    ['MAIL FROM', '530 5.7.57 SMTP; Client was not authenticated to send anonymous mail during MAIL FROM'],
    // Others
    ['RCPT TO', '554 5.7.1 <a@b.c>: Relay access denied'],
    ['RCPT TO', '554 5.7.1 Service unavailable; Client host [192.0.2.1] blocked using zen.spamhaus.org'],
    ['RCPT TO', '550 5.1.7 <no-reply@b.c>: Sender address rejected: undeliverable address'],
    ['RCPT TO', '550 5.1.0 <no-reply@b.c>: Sender address rejected: User unknown'],
    ['RCPT TO', '550 SPF check failed'],
    ['RCPT TO', '530 5.7.0 Must issue a STARTTLS command first'],
    ['RCPT TO', '530 5.1.1 Authentication required'],
    ['RCPT TO', '535 5.1.1 Authentication credentials invalid'],
    ['RCPT TO', '538 5.1.1 Encryption required for requested authentication mechanism'],
    ['RCPT TO', '550 5.7.1 Access denied, your IP is on a blocklist'],
    ['RCPT TO', '554 Your IP 5.6.120.7 is on a blocklist'],
    ['RCPT TO', '550 mail from 85.5.1.100 denied, see SPF record'],
    ['RCPT TO', '550 5.7.1 <a@b.c>: Recipient address rejected: Greylisted, please try again in 300 seconds'],
    ['RCPT TO', '550 5.2.1 Mailbox temporarily disabled'],
    ['DATA', '554 Message deferred by policy, try later'],
    ['RCPT TO', '550 5.4.5 Mail system congestion'],
    ['DATA', '554 5.4.0 Error: too many hops'],
    ['RCPT TO', '550 5.4.1 Recipient address rejected: temporarily unavailable'],
    ['RCPT TO', '550 5.5.0 Requested action not taken: sending quota of the account is reached'],
    ['DATA', '554 5.0.0 Service unavailable, please try again later'],
    ['DATA', '552 5.3.1 Mail system full'],
    ['DATA', '550 5.3.2 System not accepting network messages'],
    ['DATA', '503 5.5.1 Bad sequence of commands'],
    ['RCPT TO', '501 5.5.4 Invalid arguments'],
    ['RCPT TO', '450 4.2.1 The user you are trying to contact is receiving mail at a rate too high'],
    ['RCPT TO', '452 4.2.2 The recipient’s inbox is out of storage space'],
    ['MAIL FROM', '550 5.1.1 anything before the recipient'],
  ])('%s: %s', (...row) => {
    expect(judge(row)).toBe('temporary');
  });

  test('so is an answer that never came', () => {
    expect(judgeRefusal({ command: 'DATA', response: '', responseCode: undefined })).toBe('temporary');
  });
});
