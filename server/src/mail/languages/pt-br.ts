// Brazilian Portuguese. Address: você.
import type { MailWords } from '../words.js';

const lifetime = 'Ele vale uma única vez, por {{minutes}} minutos.';
const keepIt = 'Nunca compartilhe o código com ninguém.';
const newPassword = 'abra {{app}}, solicite uma nova senha e digite o código que enviamos por e-mail';
const nothingToDo = 'Se foi você, não é preciso fazer nada.';
const signsOut = 'Isso também encerra a sessão em todos os dispositivos.';
const shareNoLink =
  'Se você não esperava este convite, ignore este e-mail: nada muda sem o link. Não compartilhe o link, pois qualquer pessoa que o ' +
  'tenha pode aceitar o convite.';

export const ptBr: MailWords = {
  sign_in: {
    subject: '{{code}} é o seu código para entrar em {{app}}',
    paragraphs: [
      `Este é o seu código para entrar em {{app}}. ${lifetime}`,
      `Se você não o solicitou, ignore este e-mail: ninguém consegue entrar sem o código. ${keepIt}`,
    ],
  },
  reset: {
    subject: '{{code}} é o seu código para uma nova senha de {{app}}',
    paragraphs: [
      `Este é o seu código para definir uma nova senha para a sua conta {{app}}. ${lifetime}`,
      `Se você não o solicitou, ignore este e-mail: sua senha continua a mesma. ${keepIt}`,
    ],
  },
  verification: {
    subject: '{{code}} é o seu código para confirmar o e-mail em {{app}}',
    paragraphs: [
      `Este é o seu código para confirmar o e-mail da sua conta {{app}}. ${lifetime}`,
      `Se você não tem uma conta {{app}}, ignore este e-mail. ${keepIt}`,
    ],
  },
  email_change: {
    subject: '{{code}} é o seu código para usar este e-mail em {{app}}',
    paragraphs: [
      `Este é o seu código para mudar o e-mail da sua conta {{app}} para este. ${lifetime}`,
      `Se você não o solicitou, ignore este e-mail: nada muda sem o código. ${keepIt}`,
    ],
  },
  password_changed: {
    subject: 'Sua senha de {{app}} foi alterada',
    paragraphs: [
      'A senha da sua conta {{app}} foi alterada em {{when}}.',
      `${nothingToDo} Se não foi, defina uma nova imediatamente: ${newPassword}. ${signsOut}`,
    ],
  },
  email_changed: {
    subject: 'O e-mail da sua conta {{app}} foi alterado',
    paragraphs: [
      'O e-mail da sua conta {{app}} foi alterado deste para outro em {{when}}.',
      `${nothingToDo} Se não foi, entre em contato com {{app}} imediatamente.`,
    ],
  },
  provider_linked: {
    subject: 'Uma nova forma de entrar na sua conta {{app}}',
    paragraphs: [
      'Uma conta de {{service}} foi vinculada à sua conta {{app}} em {{when}}. A partir de agora, ela pode ser usada para entrar.',
      `${nothingToDo} Se não foi, desvincule-a em {{app}} e defina uma nova senha: ${newPassword}.`,
    ],
  },
  provider_unlinked: {
    subject: 'Uma forma de entrar na sua conta {{app}} foi removida',
    paragraphs: [
      'A conta de {{service}} foi desvinculada da sua conta {{app}} em {{when}}. Ela não pode mais ser usada para entrar.',
      `${nothingToDo} Se não foi, defina uma nova senha imediatamente: ${newPassword}. ${signsOut}`,
    ],
  },
  passkey_added: {
    subject: 'Uma chave de acesso foi adicionada à sua conta {{app}}',
    paragraphs: [
      'Uma chave de acesso foi adicionada à sua conta {{app}} em {{when}}. A partir de agora, ela pode ser usada para entrar.',
      `${nothingToDo} Se não foi, remova-a em {{app}} e defina uma nova senha: ${newPassword}.`,
    ],
  },
  passkey_removed: {
    subject: 'Uma chave de acesso foi removida da sua conta {{app}}',
    paragraphs: [
      'Uma chave de acesso da sua conta {{app}} foi removida em {{when}}. Ela não pode mais ser usada para entrar.',
      `${nothingToDo} Se não foi, defina uma nova senha imediatamente: ${newPassword}. ${signsOut}`,
    ],
  },
  second_factor_enrolled: {
    subject: 'Um app autenticador foi adicionado à sua conta {{app}}',
    paragraphs: [
      'Um app autenticador foi adicionado à sua conta {{app}} em {{when}}. A partir de agora, cada acesso exige um código dele.',
      'Guarde os códigos de recuperação em um lugar que você possa acessar sem o telefone. ' +
        `Se não foi você, defina uma nova senha imediatamente (${newPassword}) e entre em contato com {{app}}.`,
    ],
  },
  second_factor_removed: {
    subject: 'O app autenticador da sua conta {{app}} foi removido',
    paragraphs: [
      'O app autenticador e os códigos de recuperação da sua conta {{app}} foram removidos em {{when}}. Para entrar, não é mais necessário um código dele.',
      `Se você não esperava isso, defina uma nova senha imediatamente: ${newPassword}. ${signsOut} Depois, adicione o app autenticador novamente.`,
    ],
  },
  recovery_code_used: {
    subject: 'Um código de recuperação da sua conta {{app}} foi usado',
    paragraphs: [
      'Um código de recuperação foi usado em {{when}} para confirmar sua identidade na sua conta {{app}}. Ele não funciona uma segunda vez.',
      'Se foi você e você perdeu seu app autenticador, remova-o em {{app}} e adicione outro. ' +
        `Se não foi você, defina uma nova senha imediatamente: ${newPassword}.`,
    ],
  },
  new_device: {
    subject: 'Um novo dispositivo entrou na sua conta {{app}}',
    paragraphs: [
      'Em {{when}}, um dispositivo até então desconhecido entrou na sua conta {{app}}: {{device}}.',
      `${nothingToDo} Se não foi, defina imediatamente uma nova senha: ${newPassword}. ${signsOut}`,
    ],
  },
  export_ready: {
    subject: 'Os dados da sua conta {{app}} estão prontos',
    paragraphs: [
      'A exportação dos dados da sua conta {{app}} foi concluída em {{when}}. Você pode baixá-la em {{app}} por sete dias.',
      `Se você não a solicitou, defina imediatamente uma nova senha: ${newPassword}. ${signsOut}`,
    ],
  },
  account_deleted: {
    subject: 'Sua conta {{app}} foi excluída',
    paragraphs: [
      'Sua conta {{app}} e os dados dela foram excluídos em {{when}}. Eles não podem ser restaurados.',
      'Se não foi você, entre em contato com {{app}} imediatamente. Você pode criar uma nova conta com este e-mail.',
    ],
  },
  unproven_removed: {
    subject: 'Sua conta {{app}} foi protegida',
    paragraphs: [
      'Em {{when}}, um código que enviamos por e-mail foi usado pela primeira vez na sua conta {{app}}. Isso confirmou que o e-mail é seu. ' +
        'Removemos o que havia sido adicionado antes, porque outra pessoa pode ter feito isso: serviços vinculados, chaves de acesso, ' +
        'dispositivos conectados e, na maioria dos casos, a senha.',
      `Se a sua senha não funcionar mais, defina uma nova: ${newPassword}.`,
    ],
  },
  invitation: {
    subject: 'Convite para a equipe de {{app}}',
    paragraphs: [
      '{{inviter}} convidou você para a equipe de {{app}}, com a função “{{role}}”. O link vale uma única vez, até {{when}}.',
      shareNoLink,
    ],
  },
  owner_invitation: {
    subject: 'Convite para ser proprietário do serviço',
    paragraphs: [
      '{{inviter}} convidou você para gerenciar este serviço como proprietário de todos os apps. O link vale uma única vez, até {{when}}.',
      shareNoLink,
    ],
  },
  sign_in_settings_changed: {
    subject: 'As configurações de acesso de {{app}} foram alteradas',
    paragraphs: [
      '{{by}} alterou estas configurações do app {{app}} em {{when}}: {{settings}}.',
      'Elas definem quem pode entrar e para onde os códigos são enviados. Se você não esperava esta alteração, verifique as configurações ' +
        'e o registro de auditoria do app e remova o membro ou revogue a chave secreta.',
    ],
  },
  signInLink: 'Entrar em {{app}}',
  invitationLink: 'Aceitar o convite',
};
