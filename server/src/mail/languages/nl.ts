// Dutch. Informal address: je.
import type { MailWords } from '../words.js';

const lifetime = 'Hij werkt één keer, binnen {{minutes}} minuten.';
const keepIt = 'Deel de code nooit met iemand.';
const newPassword = 'open {{app}}, vraag een nieuw wachtwoord aan en vul de code in die we je mailen';
const nothingToDo = 'Was jij dit, dan hoef je niets te doen.';
const signsOut = 'Daarmee worden ook alle apparaten uitgelogd.';
const shareNoLink =
  'Verwachtte je dit niet, negeer dan deze e-mail: zonder de link verandert er niets. Deel de link niet, want iedereen die hem heeft ' +
  'kan de uitnodiging accepteren.';

export const nl: MailWords = {
  sign_in: {
    subject: '{{code}} is je inlogcode voor {{app}}',
    paragraphs: [
      `Dit is je code om in te loggen bij {{app}}. ${lifetime}`,
      `Heb je hem niet aangevraagd, negeer dan deze e-mail: zonder de code kan niemand inloggen. ${keepIt}`,
    ],
  },
  reset: {
    subject: '{{code}} is je code voor een nieuw wachtwoord bij {{app}}',
    paragraphs: [
      `Dit is je code om een nieuw wachtwoord voor je account bij {{app}} in te stellen. ${lifetime}`,
      `Heb je hem niet aangevraagd, negeer dan deze e-mail: je wachtwoord blijft zoals het is. ${keepIt}`,
    ],
  },
  verification: {
    subject: '{{code}} is je code om je e-mailadres voor {{app}} te bevestigen',
    paragraphs: [
      `Dit is je code om het e-mailadres van je account bij {{app}} te bevestigen. ${lifetime}`,
      `Heb je geen account bij {{app}}, negeer dan deze e-mail. ${keepIt}`,
    ],
  },
  email_change: {
    subject: '{{code}} is je code om dit e-mailadres bij {{app}} te gebruiken',
    paragraphs: [
      `Dit is je code om het e-mailadres van je account bij {{app}} in dit adres te wijzigen. ${lifetime}`,
      `Heb je hem niet aangevraagd, negeer dan deze e-mail: zonder de code verandert er niets. ${keepIt}`,
    ],
  },
  password_changed: {
    subject: 'Je wachtwoord voor {{app}} is gewijzigd',
    paragraphs: [
      'Het wachtwoord van je account bij {{app}} is gewijzigd op {{when}}.',
      `${nothingToDo} Zo niet, stel dan meteen een nieuw wachtwoord in: ${newPassword}. ${signsOut}`,
    ],
  },
  email_changed: {
    subject: 'Het e-mailadres van je account bij {{app}} is gewijzigd',
    paragraphs: [
      'Het e-mailadres van je account bij {{app}} is op {{when}} van dit adres in een ander gewijzigd.',
      `${nothingToDo} Zo niet, neem dan meteen contact op met {{app}}.`,
    ],
  },
  provider_linked: {
    subject: 'Een nieuwe manier om in te loggen bij {{app}}',
    paragraphs: [
      'Een account van {{service}} is op {{when}} aan je account bij {{app}} gekoppeld. Daarmee kan voortaan worden ingelogd.',
      `${nothingToDo} Zo niet, ontkoppel het dan in {{app}} en stel een nieuw wachtwoord in: ${newPassword}.`,
    ],
  },
  provider_unlinked: {
    subject: 'Een manier om in te loggen bij {{app}} is verwijderd',
    paragraphs: [
      'Het account van {{service}} is op {{when}} van je account bij {{app}} ontkoppeld. Daarmee kan niet meer worden ingelogd.',
      `${nothingToDo} Zo niet, stel dan meteen een nieuw wachtwoord in: ${newPassword}. ${signsOut}`,
    ],
  },
  passkey_added: {
    subject: 'Er is een passkey toegevoegd aan je account bij {{app}}',
    paragraphs: [
      'Op {{when}} is een passkey toegevoegd aan je account bij {{app}}. Daarmee kan voortaan worden ingelogd.',
      `${nothingToDo} Zo niet, verwijder hem dan in {{app}} en stel een nieuw wachtwoord in: ${newPassword}.`,
    ],
  },
  passkey_removed: {
    subject: 'Er is een passkey verwijderd uit je account bij {{app}}',
    paragraphs: [
      'Op {{when}} is een passkey van je account bij {{app}} verwijderd. Daarmee kan niet meer worden ingelogd.',
      `${nothingToDo} Zo niet, stel dan meteen een nieuw wachtwoord in: ${newPassword}. ${signsOut}`,
    ],
  },
  second_factor_enrolled: {
    subject: 'Er is een authenticator-app toegevoegd aan je account bij {{app}}',
    paragraphs: [
      'Op {{when}} is een authenticator-app toegevoegd aan je account bij {{app}}. Voortaan is bij elke keer inloggen een code daarvan nodig.',
      'Bewaar de herstelcodes op een plek waar je ze zonder je telefoon vindt. ' +
        `Was jij dit niet, stel dan meteen een nieuw wachtwoord in (${newPassword}) en neem contact op met {{app}}.`,
    ],
  },
  second_factor_removed: {
    subject: 'De authenticator-app van je account bij {{app}} is verwijderd',
    paragraphs: [
      'De authenticator-app en de herstelcodes van je account bij {{app}} zijn op {{when}} verwijderd. Om in te loggen is geen code daarvan meer nodig.',
      `Verwachtte je dit niet, stel dan meteen een nieuw wachtwoord in: ${newPassword}. ${signsOut} Voeg daarna de authenticator-app opnieuw toe.`,
    ],
  },
  recovery_code_used: {
    subject: 'Er is een herstelcode van je account bij {{app}} gebruikt',
    paragraphs: [
      'Op {{when}} is een herstelcode gebruikt om je identiteit voor je account bij {{app}} te bevestigen. Hij werkt geen tweede keer.',
      'Was jij dit en ben je je authenticator-app kwijt, verwijder die dan in {{app}} en voeg een andere toe. ' +
        `Was jij dit niet, stel dan meteen een nieuw wachtwoord in: ${newPassword}.`,
    ],
  },
  new_device: {
    subject: 'Er is met een nieuw apparaat ingelogd bij {{app}}',
    paragraphs: [
      'Op {{when}} is met een nog niet bekend apparaat ingelogd op je account bij {{app}}: {{device}}.',
      `${nothingToDo} Zo niet, stel dan meteen een nieuw wachtwoord in: ${newPassword}. ${signsOut}`,
    ],
  },
  export_ready: {
    subject: 'De gegevens van je account bij {{app}} staan klaar',
    paragraphs: [
      'De export van de gegevens van je account bij {{app}} is op {{when}} voltooid. Je kunt hem zeven dagen lang downloaden in {{app}}.',
      `Heb je hier niet om gevraagd, stel dan meteen een nieuw wachtwoord in: ${newPassword}. ${signsOut}`,
    ],
  },
  account_deleted: {
    subject: 'Je account bij {{app}} is verwijderd',
    paragraphs: [
      'Je account bij {{app}} en de gegevens ervan zijn op {{when}} verwijderd. Ze kunnen niet worden hersteld.',
      'Was jij dit niet, neem dan meteen contact op met {{app}}. Je kunt met dit e-mailadres een nieuw account aanmaken.',
    ],
  },
  unproven_removed: {
    subject: 'Je account bij {{app}} is beveiligd',
    paragraphs: [
      'Op {{when}} is voor het eerst een code die we je hebben gemaild, gebruikt voor je account bij {{app}}. Daarmee is bevestigd dat het ' +
        'e-mailadres van jou is. We hebben verwijderd wat daarvoor was toegevoegd, omdat iemand anders dat gedaan kan hebben: ' +
        'gekoppelde diensten, passkeys, ingelogde apparaten en in de meeste gevallen het wachtwoord.',
      `Werkt je wachtwoord niet meer, stel dan een nieuw wachtwoord in: ${newPassword}.`,
    ],
  },
  invitation: {
    subject: 'Uitnodiging voor het team van {{app}}',
    paragraphs: [
      '{{inviter}} heeft je uitgenodigd voor het team van {{app}}, met de rol ‘{{role}}’. De link werkt één keer, tot {{when}}.',
      shareNoLink,
    ],
  },
  owner_invitation: {
    subject: 'Uitnodiging om eigenaar van de dienst te worden',
    paragraphs: [
      '{{inviter}} heeft je uitgenodigd om deze dienst te beheren als eigenaar van alle apps. De link werkt één keer, tot {{when}}.',
      shareNoLink,
    ],
  },
  sign_in_settings_changed: {
    subject: 'De inloginstellingen van {{app}} zijn gewijzigd',
    paragraphs: [
      '{{by}} heeft op {{when}} deze instellingen van de app {{app}} gewijzigd: {{settings}}.',
      'Ze bepalen wie kan inloggen en waar codes heen worden gestuurd. Verwachtte je deze wijziging niet, controleer dan de instellingen en ' +
        'het auditlogboek van de app, en verwijder het teamlid of trek de geheime sleutel in.',
    ],
  },
  signInLink: 'Inloggen bij {{app}}',
  invitationLink: 'Uitnodiging accepteren',
};
