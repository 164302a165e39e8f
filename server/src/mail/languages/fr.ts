// French. Formal address: vous.
import type { MailWords } from '../words.js';

const lifetime = 'Il est valable une seule fois, pendant {{minutes}} minutes.';
const keepIt = 'Ne communiquez jamais ce code à personne.';
const newPassword =
  'ouvrez {{app}}, demandez un nouveau mot de passe et saisissez le code que nous vous envoyons par e-mail';
const nothingToDo = 'Si c’était vous, vous n’avez rien à faire.';
const signsOut = 'Cela déconnecte aussi tous les appareils.';
const shareNoLink =
  'Si vous n’attendiez pas cette invitation, ignorez cet e-mail\u00a0: rien ne change sans le lien. Ne communiquez pas le lien, car ' +
  'toute personne qui le possède peut accepter l’invitation.';

export const fr: MailWords = {
  sign_in: {
    subject: '{{code}} est votre code de connexion à {{app}}',
    paragraphs: [
      `Voici votre code pour vous connecter à {{app}}. ${lifetime}`,
      `Si vous ne l’avez pas demandé, ignorez cet e-mail\u00a0: personne ne peut se connecter sans le code. ${keepIt}`,
    ],
  },
  reset: {
    subject: '{{code}} est votre code pour un nouveau mot de passe {{app}}',
    paragraphs: [
      `Voici votre code pour définir un nouveau mot de passe pour votre compte {{app}}. ${lifetime}`,
      `Si vous ne l’avez pas demandé, ignorez cet e-mail\u00a0: votre mot de passe reste le même. ${keepIt}`,
    ],
  },
  verification: {
    subject: '{{code}} est votre code pour confirmer votre adresse e-mail {{app}}',
    paragraphs: [
      `Voici votre code pour confirmer l’adresse e-mail de votre compte {{app}}. ${lifetime}`,
      `Si vous n’avez pas de compte {{app}}, ignorez cet e-mail. ${keepIt}`,
    ],
  },
  email_change: {
    subject: '{{code}} est votre code pour utiliser cette adresse avec {{app}}',
    paragraphs: [
      `Voici votre code pour remplacer l’adresse e-mail de votre compte {{app}} par celle-ci. ${lifetime}`,
      `Si vous ne l’avez pas demandé, ignorez cet e-mail\u00a0: rien ne change sans le code. ${keepIt}`,
    ],
  },
  password_changed: {
    subject: 'Votre mot de passe {{app}} a été modifié',
    paragraphs: [
      'Le mot de passe de votre compte {{app}} a été modifié le {{when}}.',
      `${nothingToDo} Sinon, définissez-en un nouveau immédiatement\u00a0: ${newPassword}. ${signsOut}`,
    ],
  },
  email_changed: {
    subject: 'L’adresse e-mail de votre compte {{app}} a été modifiée',
    paragraphs: [
      'L’adresse e-mail de votre compte {{app}} a été remplacée par une autre le {{when}}. C’était celle-ci.',
      `${nothingToDo} Sinon, contactez {{app}} immédiatement.`,
    ],
  },
  provider_linked: {
    subject: 'Un nouveau moyen de connexion à votre compte {{app}}',
    paragraphs: [
      'Un compte {{service}} a été associé à votre compte {{app}} le {{when}}. Il permet désormais de se connecter.',
      `${nothingToDo} Sinon, dissociez-le dans {{app}} et définissez un nouveau mot de passe\u00a0: ${newPassword}.`,
    ],
  },
  provider_unlinked: {
    subject: 'Un moyen de connexion à votre compte {{app}} a été supprimé',
    paragraphs: [
      'Le compte {{service}} a été dissocié de votre compte {{app}} le {{when}}. Il ne permet plus de se connecter.',
      `${nothingToDo} Sinon, définissez immédiatement un nouveau mot de passe\u00a0: ${newPassword}. ${signsOut}`,
    ],
  },
  passkey_added: {
    subject: 'Une clé d’accès a été ajoutée à votre compte {{app}}',
    paragraphs: [
      'Une clé d’accès a été ajoutée à votre compte {{app}} le {{when}}. Elle permet désormais de se connecter.',
      `${nothingToDo} Sinon, supprimez-la dans {{app}} et définissez un nouveau mot de passe\u00a0: ${newPassword}.`,
    ],
  },
  passkey_removed: {
    subject: 'Une clé d’accès a été supprimée de votre compte {{app}}',
    paragraphs: [
      'Une clé d’accès de votre compte {{app}} a été supprimée le {{when}}. Elle ne permet plus de se connecter.',
      `${nothingToDo} Sinon, définissez immédiatement un nouveau mot de passe\u00a0: ${newPassword}. ${signsOut}`,
    ],
  },
  second_factor_enrolled: {
    subject: 'Une application d’authentification a été ajoutée à votre compte {{app}}',
    paragraphs: [
      'Une application d’authentification a été ajoutée à votre compte {{app}} le {{when}}. Désormais, chaque connexion demande un code de cette application.',
      'Conservez les codes de récupération à un endroit accessible sans votre téléphone. ' +
        `Si ce n’était pas vous, définissez immédiatement un nouveau mot de passe (${newPassword}) et contactez {{app}}.`,
    ],
  },
  second_factor_removed: {
    subject: 'L’application d’authentification de votre compte {{app}} a été supprimée',
    paragraphs: [
      'L’application d’authentification et les codes de récupération de votre compte {{app}} ont été supprimés le {{when}}. La connexion ne demande plus de code de cette application.',
      `Si vous ne vous y attendiez pas, définissez immédiatement un nouveau mot de passe\u00a0: ${newPassword}. ${signsOut} Ajoutez ensuite de nouveau l’application d’authentification.`,
    ],
  },
  recovery_code_used: {
    subject: 'Un code de récupération de votre compte {{app}} a été utilisé',
    paragraphs: [
      'Un code de récupération a été utilisé le {{when}} pour confirmer votre identité sur votre compte {{app}}. Il ne peut pas servir une seconde fois.',
      'Si c’était vous et que vous avez perdu votre application d’authentification, supprimez-la dans {{app}} et ajoutez-en une autre. ' +
        `Si ce n’était pas vous, définissez immédiatement un nouveau mot de passe\u00a0: ${newPassword}.`,
    ],
  },
  new_device: {
    subject: 'Un nouvel appareil s’est connecté à votre compte {{app}}',
    paragraphs: [
      'Le {{when}}, un appareil jusqu’alors inconnu s’est connecté à votre compte {{app}}\u00a0: {{device}}.',
      `${nothingToDo} Sinon, définissez immédiatement un nouveau mot de passe\u00a0: ${newPassword}. ${signsOut}`,
    ],
  },
  export_ready: {
    subject: 'Les données de votre compte {{app}} sont prêtes',
    paragraphs: [
      'L’export des données de votre compte {{app}} a été terminé le {{when}}. Vous pouvez le télécharger dans {{app}} pendant sept jours.',
      `Si vous ne l’avez pas demandé, définissez immédiatement un nouveau mot de passe\u00a0: ${newPassword}. ${signsOut}`,
    ],
  },
  account_deleted: {
    subject: 'Votre compte {{app}} a été supprimé',
    paragraphs: [
      'Votre compte {{app}} et ses données ont été supprimés le {{when}}. Ils ne peuvent pas être restaurés.',
      'Si ce n’était pas vous, contactez {{app}} immédiatement. Vous pouvez créer un nouveau compte avec cette adresse e-mail.',
    ],
  },
  unproven_removed: {
    subject: 'Votre compte {{app}} a été sécurisé',
    paragraphs: [
      'Le {{when}}, un code que nous vous avons envoyé par e-mail a été utilisé pour la première fois pour votre compte {{app}}. Cela a ' +
        'confirmé que l’adresse e-mail vous appartient. Nous avons supprimé ce qui avait été ajouté auparavant, car une autre personne ' +
        'a pu l’ajouter\u00a0: services associés, clés d’accès, appareils connectés et, dans la plupart des cas, le mot de passe.',
      `Si votre mot de passe ne fonctionne plus, définissez-en un nouveau\u00a0: ${newPassword}.`,
    ],
  },
  invitation: {
    subject: 'Invitation à rejoindre l’équipe de {{app}}',
    paragraphs: [
      '{{inviter}} vous a invité à rejoindre l’équipe de {{app}}, avec le rôle «\u00a0{{role}}\u00a0». Le lien est valable une seule fois, jusqu’au {{when}}.',
      shareNoLink,
    ],
  },
  owner_invitation: {
    subject: 'Invitation à devenir propriétaire du service',
    paragraphs: [
      '{{inviter}} vous a invité à gérer ce service en tant que propriétaire de toutes ses applications. Le lien est valable une seule fois, jusqu’au {{when}}.',
      shareNoLink,
    ],
  },
  sign_in_settings_changed: {
    subject: 'Les paramètres de connexion de {{app}} ont été modifiés',
    paragraphs: [
      '{{by}} a modifié ces paramètres de l’application {{app}} le {{when}}\u00a0: {{settings}}.',
      'Ils déterminent qui peut se connecter et où les codes sont envoyés. Si vous ne vous attendiez pas à cette modification, vérifiez ' +
        'les paramètres et le journal d’audit de l’application, puis retirez le membre ou révoquez la clé secrète.',
    ],
  },
  signInLink: 'Se connecter à {{app}}',
  invitationLink: 'Accepter l’invitation',
};
