// German. Formal address: Sie.
import type { MailWords } from '../words.js';

const lifetime = 'Er gilt einmal, innerhalb von {{minutes}} Minuten.';
const keepIt = 'Geben Sie den Code niemals weiter.';
const newPassword =
  'Öffnen Sie {{app}}, fordern Sie ein neues Passwort an, und geben Sie den Code ein, den wir Ihnen per E-Mail senden.';
const nothingToDo = 'Wenn Sie das waren, müssen Sie nichts tun.';
const signsOut = 'Dadurch werden auch alle Geräte abgemeldet.';
const shareNoLink =
  'Wenn Sie das nicht erwartet haben, ignorieren Sie diese E-Mail: Ohne den Link ändert sich nichts. Geben Sie den Link nicht ' +
  'weiter, denn jeder, der ihn hat, kann die Einladung annehmen.';

export const de: MailWords = {
  sign_in: {
    subject: '{{code}} ist Ihr Anmeldecode für {{app}}',
    paragraphs: [
      `Das ist Ihr Code zum Anmelden bei {{app}}. ${lifetime}`,
      `Wenn Sie ihn nicht angefordert haben, ignorieren Sie diese E-Mail: Ohne den Code kann sich niemand anmelden. ${keepIt}`,
    ],
  },
  reset: {
    subject: '{{code}} ist Ihr Code für ein neues Passwort bei {{app}}',
    paragraphs: [
      `Das ist Ihr Code, um ein neues Passwort für Ihr Konto bei {{app}} festzulegen. ${lifetime}`,
      `Wenn Sie ihn nicht angefordert haben, ignorieren Sie diese E-Mail: Ihr Passwort bleibt, wie es ist. ${keepIt}`,
    ],
  },
  verification: {
    subject: '{{code}} ist Ihr Code zum Bestätigen der E-Mail-Adresse für {{app}}',
    paragraphs: [
      `Das ist Ihr Code, um die E-Mail-Adresse Ihres Kontos bei {{app}} zu bestätigen. ${lifetime}`,
      `Wenn Sie kein Konto bei {{app}} haben, ignorieren Sie diese E-Mail. ${keepIt}`,
    ],
  },
  email_change: {
    subject: '{{code}} ist Ihr Code für die neue E-Mail-Adresse bei {{app}}',
    paragraphs: [
      `Das ist Ihr Code, um die E-Mail-Adresse Ihres Kontos bei {{app}} in diese zu ändern. ${lifetime}`,
      `Wenn Sie ihn nicht angefordert haben, ignorieren Sie diese E-Mail: Ohne den Code ändert sich nichts. ${keepIt}`,
    ],
  },
  password_changed: {
    subject: 'Ihr Passwort bei {{app}} wurde geändert',
    paragraphs: [
      'Das Passwort Ihres Kontos bei {{app}} wurde am {{when}} geändert.',
      `${nothingToDo} Wenn nicht, legen Sie sofort ein neues fest: ${newPassword} ${signsOut}`,
    ],
  },
  email_changed: {
    subject: 'Die E-Mail-Adresse Ihres Kontos bei {{app}} wurde geändert',
    paragraphs: [
      'Die E-Mail-Adresse Ihres Kontos bei {{app}} wurde am {{when}} von dieser in eine andere geändert.',
      `${nothingToDo} Wenn nicht, wenden Sie sich sofort an {{app}}.`,
    ],
  },
  provider_linked: {
    subject: 'Neue Anmeldemöglichkeit für Ihr Konto bei {{app}}',
    paragraphs: [
      'Ein Konto bei {{service}} wurde am {{when}} mit Ihrem Konto bei {{app}} verknüpft. Es kann ab jetzt zum Anmelden verwendet werden.',
      `${nothingToDo} Wenn nicht, heben Sie die Verknüpfung in {{app}} auf und legen Sie ein neues Passwort fest: ${newPassword}`,
    ],
  },
  provider_unlinked: {
    subject: 'Eine Anmeldemöglichkeit für Ihr Konto bei {{app}} wurde entfernt',
    paragraphs: [
      'Die Verknüpfung des Kontos bei {{service}} mit Ihrem Konto bei {{app}} wurde am {{when}} aufgehoben. Es kann nicht mehr zum Anmelden verwendet werden.',
      `${nothingToDo} Wenn nicht, legen Sie sofort ein neues Passwort fest: ${newPassword} ${signsOut}`,
    ],
  },
  passkey_added: {
    subject: 'Ein Passkey wurde zu Ihrem Konto bei {{app}} hinzugefügt',
    paragraphs: [
      'Ein Passkey wurde am {{when}} zu Ihrem Konto bei {{app}} hinzugefügt. Er kann ab jetzt zum Anmelden verwendet werden.',
      `${nothingToDo} Wenn nicht, entfernen Sie ihn in {{app}} und legen Sie ein neues Passwort fest: ${newPassword}`,
    ],
  },
  passkey_removed: {
    subject: 'Ein Passkey wurde aus Ihrem Konto bei {{app}} entfernt',
    paragraphs: [
      'Ein Passkey Ihres Kontos bei {{app}} wurde am {{when}} entfernt. Er kann nicht mehr zum Anmelden verwendet werden.',
      `${nothingToDo} Wenn nicht, legen Sie sofort ein neues Passwort fest: ${newPassword} ${signsOut}`,
    ],
  },
  second_factor_enrolled: {
    subject: 'Eine Authenticator-App wurde zu Ihrem Konto bei {{app}} hinzugefügt',
    paragraphs: [
      'Eine Authenticator-App wurde am {{when}} zu Ihrem Konto bei {{app}} hinzugefügt. Ab jetzt ist bei jeder Anmeldung ein Code daraus nötig.',
      'Bewahren Sie die Wiederherstellungscodes so auf, dass Sie sie auch ohne Ihr Telefon finden. ' +
        `Wenn Sie das nicht waren, legen Sie sofort ein neues Passwort fest und wenden Sie sich an {{app}}. Neues Passwort: ${newPassword}`,
    ],
  },
  second_factor_removed: {
    subject: 'Die Authenticator-App Ihres Kontos bei {{app}} wurde entfernt',
    paragraphs: [
      'Die Authenticator-App und die Wiederherstellungscodes Ihres Kontos bei {{app}} wurden am {{when}} entfernt. Zum Anmelden ist kein Code daraus mehr nötig.',
      `Wenn Sie das nicht erwartet haben, legen Sie sofort ein neues Passwort fest: ${newPassword} ${signsOut} Fügen Sie danach die Authenticator-App wieder hinzu.`,
    ],
  },
  recovery_code_used: {
    subject: 'Ein Wiederherstellungscode Ihres Kontos bei {{app}} wurde verwendet',
    paragraphs: [
      'Am {{when}} wurde ein Wiederherstellungscode verwendet, um Ihre Identität für Ihr Konto bei {{app}} zu bestätigen. Er gilt kein zweites Mal.',
      'Wenn Sie das waren und Ihre Authenticator-App verloren haben, entfernen Sie sie in {{app}} und fügen Sie eine andere hinzu. ' +
        `Wenn Sie das nicht waren, legen Sie sofort ein neues Passwort fest: ${newPassword}`,
    ],
  },
  new_device: {
    subject: 'Ein neues Gerät hat sich bei Ihrem Konto bei {{app}} angemeldet',
    paragraphs: [
      'Am {{when}} hat sich ein bisher unbekanntes Gerät bei Ihrem Konto bei {{app}} angemeldet: {{device}}.',
      `${nothingToDo} Wenn nicht, legen Sie sofort ein neues Passwort fest: ${newPassword} ${signsOut}`,
    ],
  },
  export_ready: {
    subject: 'Die Daten Ihres Kontos bei {{app}} stehen bereit',
    paragraphs: [
      'Der Export der Daten Ihres Kontos bei {{app}} wurde am {{when}} fertiggestellt. Sie können ihn sieben Tage lang in {{app}} herunterladen.',
      `Wenn Sie ihn nicht angefordert haben, legen Sie sofort ein neues Passwort fest: ${newPassword} ${signsOut}`,
    ],
  },
  account_deleted: {
    subject: 'Ihr Konto bei {{app}} wurde gelöscht',
    paragraphs: [
      'Ihr Konto bei {{app}} und seine Daten wurden am {{when}} gelöscht. Sie können nicht wiederhergestellt werden.',
      'Wenn Sie das nicht waren, wenden Sie sich sofort an {{app}}. Sie können mit dieser E-Mail-Adresse ein neues Konto anlegen.',
    ],
  },
  unproven_removed: {
    subject: 'Ihr Konto bei {{app}} wurde gesichert',
    paragraphs: [
      'Am {{when}} wurde zum ersten Mal ein Code, den wir Ihnen per E-Mail gesendet haben, für Ihr Konto bei {{app}} verwendet. Damit ist ' +
        'bestätigt, dass die E-Mail-Adresse Ihnen gehört. Wir haben entfernt, was vorher hinzugefügt wurde, weil es von jemand anderem ' +
        'stammen kann: verknüpfte Dienste, Passkeys, angemeldete Geräte und meistens auch das Passwort.',
      `Wenn Ihr Passwort nicht mehr gilt, legen Sie ein neues fest: ${newPassword}`,
    ],
  },
  invitation: {
    subject: 'Einladung in das Team von {{app}}',
    paragraphs: [
      '{{inviter}} hat Sie in das Team von {{app}} eingeladen, mit der Rolle „{{role}}“. Der Link gilt einmal, bis zum {{when}}.',
      shareNoLink,
    ],
  },
  owner_invitation: {
    subject: 'Einladung, Eigentümer des Dienstes zu werden',
    paragraphs: [
      '{{inviter}} hat Sie eingeladen, diesen Dienst als Eigentümer aller Apps zu verwalten. Der Link gilt einmal, bis zum {{when}}.',
      shareNoLink,
    ],
  },
  sign_in_settings_changed: {
    subject: 'Die Anmeldeeinstellungen von {{app}} wurden geändert',
    paragraphs: [
      '{{by}} hat am {{when}} diese Einstellungen der App {{app}} geändert: {{settings}}.',
      'Sie bestimmen, wer sich anmelden kann und wohin Codes gesendet werden. Wenn Sie diese Änderung nicht erwartet haben, prüfen Sie ' +
        'die Einstellungen und das Audit-Protokoll der App, und entfernen Sie das Mitglied oder widerrufen Sie den geheimen Schlüssel.',
    ],
  },
  signInLink: 'Bei {{app}} anmelden',
  invitationLink: 'Einladung annehmen',
};
