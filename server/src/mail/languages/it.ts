// Italian. Informal address: tu.
import type { MailWords } from '../words.js';

const lifetime = 'È valido una sola volta, per {{minutes}} minuti.';
const keepIt = 'Non comunicare mai il codice a nessuno.';
const newPassword =
  'apri {{app}}, richiedi una nuova password e inserisci il codice che ti inviamo per email';
const nothingToDo = 'Se sei stato tu, non devi fare nulla.';
const signsOut = 'In questo modo vengono disconnessi anche tutti i dispositivi.';
const shareNoLink =
  'Se non ti aspettavi questo invito, ignora questa email: senza il link non cambia nulla. Non condividere il link, perché ' +
  'chiunque lo possieda può accettare l’invito.';

export const it: MailWords = {
  sign_in: {
    subject: '{{code}} è il tuo codice per accedere a {{app}}',
    paragraphs: [
      `Questo è il tuo codice per accedere a {{app}}. ${lifetime}`,
      `Se non l’hai richiesto, ignora questa email: nessuno può accedere senza il codice. ${keepIt}`,
    ],
  },
  reset: {
    subject: '{{code}} è il tuo codice per una nuova password di {{app}}',
    paragraphs: [
      `Questo è il tuo codice per impostare una nuova password per il tuo account {{app}}. ${lifetime}`,
      `Se non l’hai richiesto, ignora questa email: la tua password resta invariata. ${keepIt}`,
    ],
  },
  verification: {
    subject: '{{code}} è il tuo codice per confermare l’email per {{app}}',
    paragraphs: [
      `Questo è il tuo codice per confermare l’indirizzo email del tuo account {{app}}. ${lifetime}`,
      `Se non hai un account {{app}}, ignora questa email. ${keepIt}`,
    ],
  },
  email_change: {
    subject: '{{code}} è il tuo codice per usare questo indirizzo con {{app}}',
    paragraphs: [
      `Questo è il tuo codice per sostituire l’indirizzo email del tuo account {{app}} con questo. ${lifetime}`,
      `Se non l’hai richiesto, ignora questa email: senza il codice non cambia nulla. ${keepIt}`,
    ],
  },
  password_changed: {
    subject: 'La tua password di {{app}} è stata cambiata',
    paragraphs: [
      'La password del tuo account {{app}} è stata cambiata in data {{when}}.',
      `${nothingToDo} Altrimenti, impostane subito una nuova: ${newPassword}. ${signsOut}`,
    ],
  },
  email_changed: {
    subject: 'L’indirizzo email del tuo account {{app}} è stato cambiato',
    paragraphs: [
      'L’indirizzo email del tuo account {{app}}, che era questo, è stato sostituito con un altro in data {{when}}.',
      `${nothingToDo} Altrimenti, contatta subito {{app}}.`,
    ],
  },
  provider_linked: {
    subject: 'Un nuovo modo per accedere al tuo account {{app}}',
    paragraphs: [
      'Un account {{service}} è stato collegato al tuo account {{app}} in data {{when}}. Da ora può essere usato per accedere.',
      `${nothingToDo} Altrimenti, scollegalo in {{app}} e imposta una nuova password: ${newPassword}.`,
    ],
  },
  provider_unlinked: {
    subject: 'Un modo per accedere al tuo account {{app}} è stato rimosso',
    paragraphs: [
      'L’account {{service}} è stato scollegato dal tuo account {{app}} in data {{when}}. Non può più essere usato per accedere.',
      `${nothingToDo} Altrimenti, imposta subito una nuova password: ${newPassword}. ${signsOut}`,
    ],
  },
  passkey_added: {
    subject: 'Una passkey è stata aggiunta al tuo account {{app}}',
    paragraphs: [
      'Una passkey è stata aggiunta al tuo account {{app}} in data {{when}}. Da ora può essere usata per accedere.',
      `${nothingToDo} Altrimenti, rimuovila in {{app}} e imposta una nuova password: ${newPassword}.`,
    ],
  },
  passkey_removed: {
    subject: 'Una passkey è stata rimossa dal tuo account {{app}}',
    paragraphs: [
      'Una passkey del tuo account {{app}} è stata rimossa in data {{when}}. Non può più essere usata per accedere.',
      `${nothingToDo} Altrimenti, imposta subito una nuova password: ${newPassword}. ${signsOut}`,
    ],
  },
  second_factor_enrolled: {
    subject: 'Un’app di autenticazione è stata aggiunta al tuo account {{app}}',
    paragraphs: [
      'Un’app di autenticazione è stata aggiunta al tuo account {{app}} in data {{when}}. Da ora ogni accesso richiede un suo codice.',
      'Conserva i codici di recupero dove puoi trovarli senza il telefono. ' +
        `Se non sei stato tu, imposta subito una nuova password (${newPassword}) e contatta {{app}}.`,
    ],
  },
  second_factor_removed: {
    subject: 'L’app di autenticazione del tuo account {{app}} è stata rimossa',
    paragraphs: [
      'L’app di autenticazione e i codici di recupero del tuo account {{app}} sono stati rimossi in data {{when}}. Per accedere non serve più un suo codice.',
      `Se non te lo aspettavi, imposta subito una nuova password: ${newPassword}. ${signsOut} Poi aggiungi di nuovo l’app di autenticazione.`,
    ],
  },
  recovery_code_used: {
    subject: 'È stato usato un codice di recupero del tuo account {{app}}',
    paragraphs: [
      'In data {{when}} è stato usato un codice di recupero per confermare la tua identità per il tuo account {{app}}. Non funziona una seconda volta.',
      'Se sei stato tu e hai perso la tua app di autenticazione, rimuovila in {{app}} e aggiungine un’altra. ' +
        `Se non sei stato tu, imposta subito una nuova password: ${newPassword}.`,
    ],
  },
  new_device: {
    subject: 'Un nuovo dispositivo ha effettuato l’accesso al tuo account {{app}}',
    paragraphs: [
      'In data {{when}} un dispositivo finora sconosciuto ha effettuato l’accesso al tuo account {{app}}: {{device}}.',
      `${nothingToDo} Altrimenti, imposta subito una nuova password: ${newPassword}. ${signsOut}`,
    ],
  },
  export_ready: {
    subject: 'I dati del tuo account {{app}} sono pronti',
    paragraphs: [
      'L’esportazione dei dati del tuo account {{app}} è stata completata in data {{when}}. Puoi scaricarla in {{app}} per sette giorni.',
      `Se non l’hai richiesta, imposta subito una nuova password: ${newPassword}. ${signsOut}`,
    ],
  },
  account_deleted: {
    subject: 'Il tuo account {{app}} è stato eliminato',
    paragraphs: [
      'Il tuo account {{app}} e i suoi dati sono stati eliminati in data {{when}}. Non possono essere ripristinati.',
      'Se non sei stato tu, contatta subito {{app}}. Puoi creare un nuovo account con questo indirizzo email.',
    ],
  },
  unproven_removed: {
    subject: 'Il tuo account {{app}} è stato messo al sicuro',
    paragraphs: [
      'In data {{when}} un codice che ti abbiamo inviato per email è stato usato per la prima volta per il tuo account {{app}}. Questo ha ' +
        'confermato che l’indirizzo email è tuo. Abbiamo rimosso ciò che era stato aggiunto prima, perché potrebbe averlo aggiunto ' +
        'qualcun altro: servizi collegati, passkey, dispositivi connessi e, nella maggior parte dei casi, la password.',
      `Se la tua password non funziona più, impostane una nuova: ${newPassword}.`,
    ],
  },
  invitation: {
    subject: 'Invito a entrare nel team di {{app}}',
    paragraphs: [
      '{{inviter}} ti ha invitato a entrare nel team di {{app}}, con il ruolo «{{role}}». Il link è valido una sola volta, fino a: {{when}}.',
      shareNoLink,
    ],
  },
  owner_invitation: {
    subject: 'Invito a diventare proprietario del servizio',
    paragraphs: [
      '{{inviter}} ti ha invitato a gestire questo servizio come proprietario di tutte le sue app. Il link è valido una sola volta, fino a: {{when}}.',
      shareNoLink,
    ],
  },
  sign_in_settings_changed: {
    subject: 'Le impostazioni di accesso di {{app}} sono state modificate',
    paragraphs: [
      '{{by}} ha modificato queste impostazioni dell’app {{app}} in data {{when}}: {{settings}}.',
      'Stabiliscono chi può accedere e dove vengono inviati i codici. Se non ti aspettavi questa modifica, controlla le impostazioni e il ' +
        'registro di controllo dell’app, e rimuovi il membro o revoca la chiave segreta.',
    ],
  },
  signInLink: 'Accedi a {{app}}',
  invitationLink: 'Accetta l’invito',
};
