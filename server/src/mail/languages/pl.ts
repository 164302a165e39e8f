// Polish. Informal address in the second person singular (Ty), as is usual in apps; without forms that tell the reader's gender.
import type { MailWords } from '../words.js';

const lifetime = 'Działa jeden raz, przez {{minutes}} min.';
const keepIt = 'Nigdy nikomu nie podawaj kodu.';
const newPassword = 'otwórz {{app}}, wybierz resetowanie hasła i wpisz kod, który wyślemy Ci e-mailem';
const nothingToDo = 'Jeśli to Twoje działanie, nie musisz nic robić.';
const signsOut = 'Spowoduje to też wylogowanie ze wszystkich urządzeń.';
const shareNoLink =
  'Jeśli to zaproszenie jest nieoczekiwane, zignoruj tę wiadomość: bez linku nic się nie zmieni. Nie udostępniaj linku, ponieważ ' +
  'każdy, kto go ma, może przyjąć zaproszenie.';

export const pl: MailWords = {
  sign_in: {
    subject: '{{code}} to Twój kod logowania do {{app}}',
    paragraphs: [
      `To Twój kod logowania do {{app}}. ${lifetime}`,
      `Jeśli to nie Twoja prośba, zignoruj tę wiadomość: bez kodu nikt się nie zaloguje. ${keepIt}`,
    ],
  },
  reset: {
    subject: '{{code}} to Twój kod do ustawienia nowego hasła {{app}}',
    paragraphs: [
      `To Twój kod do ustawienia nowego hasła do konta {{app}}. ${lifetime}`,
      `Jeśli to nie Twoja prośba, zignoruj tę wiadomość: hasło się nie zmieni. ${keepIt}`,
    ],
  },
  verification: {
    subject: '{{code}} to Twój kod do potwierdzenia adresu e-mail w {{app}}',
    paragraphs: [
      `To Twój kod do potwierdzenia adresu e-mail konta {{app}}. ${lifetime}`,
      `Jeśli nie masz konta {{app}}, zignoruj tę wiadomość. ${keepIt}`,
    ],
  },
  email_change: {
    subject: '{{code}} to Twój kod do użycia tego adresu w {{app}}',
    paragraphs: [
      `To Twój kod do zmiany adresu e-mail konta {{app}} na ten. ${lifetime}`,
      `Jeśli to nie Twoja prośba, zignoruj tę wiadomość: bez kodu nic się nie zmieni. ${keepIt}`,
    ],
  },
  password_changed: {
    subject: 'Hasło do konta {{app}} zostało zmienione',
    paragraphs: [
      'Hasło do Twojego konta {{app}} zostało zmienione: {{when}}.',
      `${nothingToDo} Jeśli nie, natychmiast ustaw nowe: ${newPassword}. ${signsOut}`,
    ],
  },
  email_changed: {
    subject: 'Adres e-mail konta {{app}} został zmieniony',
    paragraphs: [
      'Adres e-mail Twojego konta {{app}} został zmieniony z tego na inny: {{when}}.',
      `${nothingToDo} Jeśli nie, natychmiast skontaktuj się z {{app}}.`,
    ],
  },
  provider_linked: {
    subject: 'Nowy sposób logowania do konta {{app}}',
    paragraphs: [
      'Konto {{service}} zostało połączone z Twoim kontem {{app}}: {{when}}. Od teraz można się nim logować.',
      `${nothingToDo} Jeśli nie, odłącz je w {{app}} i ustaw nowe hasło: ${newPassword}.`,
    ],
  },
  provider_unlinked: {
    subject: 'Usunięto sposób logowania do konta {{app}}',
    paragraphs: [
      'Konto {{service}} zostało odłączone od Twojego konta {{app}}: {{when}}. Nie można się nim już logować.',
      `${nothingToDo} Jeśli nie, natychmiast ustaw nowe hasło: ${newPassword}. ${signsOut}`,
    ],
  },
  passkey_added: {
    subject: 'Dodano klucz dostępu do konta {{app}}',
    paragraphs: [
      'Do Twojego konta {{app}} dodano klucz dostępu: {{when}}. Od teraz można się nim logować.',
      `${nothingToDo} Jeśli nie, usuń go w {{app}} i ustaw nowe hasło: ${newPassword}.`,
    ],
  },
  passkey_removed: {
    subject: 'Usunięto klucz dostępu z konta {{app}}',
    paragraphs: [
      'Z Twojego konta {{app}} usunięto klucz dostępu: {{when}}. Nie można się nim już logować.',
      `${nothingToDo} Jeśli nie, natychmiast ustaw nowe hasło: ${newPassword}. ${signsOut}`,
    ],
  },
  second_factor_enrolled: {
    subject: 'Dodano aplikację uwierzytelniającą do konta {{app}}',
    paragraphs: [
      'Do Twojego konta {{app}} dodano aplikację uwierzytelniającą: {{when}}. Od teraz każde logowanie wymaga kodu z tej aplikacji.',
      'Przechowuj kody odzyskiwania w miejscu dostępnym bez telefonu. ' +
        `Jeśli to nie Twoje działanie, natychmiast ustaw nowe hasło (${newPassword}) i skontaktuj się z {{app}}.`,
    ],
  },
  second_factor_removed: {
    subject: 'Usunięto aplikację uwierzytelniającą z konta {{app}}',
    paragraphs: [
      'Z Twojego konta {{app}} usunięto aplikację uwierzytelniającą i kody odzyskiwania: {{when}}. Logowanie nie wymaga już kodu z tej aplikacji.',
      `Jeśli to nieoczekiwana zmiana, natychmiast ustaw nowe hasło: ${newPassword}. ${signsOut} Następnie ponownie dodaj aplikację uwierzytelniającą.`,
    ],
  },
  recovery_code_used: {
    subject: 'Użyto kodu odzyskiwania konta {{app}}',
    paragraphs: [
      'Użyto kodu odzyskiwania, aby potwierdzić Twoją tożsamość na koncie {{app}}: {{when}}. Ten kod nie zadziała drugi raz.',
      'Jeśli to Twoje działanie i nie masz już dostępu do aplikacji uwierzytelniającej, usuń ją w {{app}} i dodaj inną. ' +
        `Jeśli to nie Twoje działanie, natychmiast ustaw nowe hasło: ${newPassword}.`,
    ],
  },
  new_device: {
    subject: 'Nowe urządzenie zalogowało się do konta {{app}}',
    paragraphs: [
      'Do Twojego konta {{app}} zalogowało się nieznane dotąd urządzenie: {{device}}. Data: {{when}}.',
      `${nothingToDo} Jeśli nie, natychmiast ustaw nowe hasło: ${newPassword}. ${signsOut}`,
    ],
  },
  export_ready: {
    subject: 'Dane konta {{app}} są gotowe',
    paragraphs: [
      'Eksport danych Twojego konta {{app}} jest gotowy: {{when}}. Możesz go pobrać w {{app}} przez siedem dni.',
      `Jeśli to nie Twoja prośba, natychmiast ustaw nowe hasło: ${newPassword}. ${signsOut}`,
    ],
  },
  account_deleted: {
    subject: 'Konto {{app}} zostało usunięte',
    paragraphs: [
      'Twoje konto {{app}} i jego dane zostały usunięte: {{when}}. Nie można ich przywrócić.',
      'Jeśli to nie Twoje działanie, natychmiast skontaktuj się z {{app}}. Możesz utworzyć nowe konto z tym adresem e-mail.',
    ],
  },
  unproven_removed: {
    subject: 'Konto {{app}} zostało zabezpieczone',
    paragraphs: [
      'Po raz pierwszy użyto na Twoim koncie {{app}} kodu, który wysłaliśmy Ci e-mailem: {{when}}. Potwierdziło to, że adres e-mail ' +
        'należy do Ciebie. Usunęliśmy to, co dodano wcześniej, ponieważ mógł to zrobić ktoś inny: połączone usługi, klucze dostępu, ' +
        'zalogowane urządzenia i w większości przypadków hasło.',
      `Jeśli Twoje hasło już nie działa, ustaw nowe: ${newPassword}.`,
    ],
  },
  invitation: {
    subject: 'Zaproszenie do zespołu {{app}}',
    paragraphs: [
      '{{inviter}} zaprasza Cię do zespołu {{app}} w roli „{{role}}”. Link działa jeden raz, do: {{when}}.',
      shareNoLink,
    ],
  },
  owner_invitation: {
    subject: 'Zaproszenie do roli właściciela usługi',
    paragraphs: [
      '{{inviter}} zaprasza Cię do zarządzania tą usługą w roli właściciela wszystkich jej aplikacji. Link działa jeden raz, do: {{when}}.',
      shareNoLink,
    ],
  },
  sign_in_settings_changed: {
    subject: 'Zmieniono ustawienia logowania aplikacji {{app}}',
    paragraphs: [
      'Ustawienia aplikacji {{app}} zmienione przez {{by}} ({{when}}): {{settings}}.',
      'Decydują one o tym, kto może się zalogować i dokąd są wysyłane kody. Jeśli to nieoczekiwana zmiana, sprawdź ustawienia i ' +
        'dziennik audytu aplikacji oraz usuń członka zespołu lub unieważnij tajny klucz.',
    ],
  },
  signInLink: 'Zaloguj się do {{app}}',
  invitationLink: 'Przyjmij zaproszenie',
};
