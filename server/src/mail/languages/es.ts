// Spanish. Informal address: tú.
import type { MailWords } from '../words.js';

const lifetime = 'Sirve una sola vez, durante {{minutes}} minutos.';
const keepIt = 'No compartas nunca el código con nadie.';
const newPassword =
  'abre {{app}}, solicita restablecer la contraseña e introduce el código que te enviamos por correo';
const nothingToDo = 'Si fuiste tú, no tienes que hacer nada.';
const signsOut = 'Esto también cierra la sesión en todos los dispositivos.';
const shareNoLink =
  'Si no esperabas esta invitación, ignora este correo: nada cambia sin el enlace. No compartas el enlace, porque cualquiera que ' +
  'lo tenga puede aceptar la invitación.';

export const es: MailWords = {
  sign_in: {
    subject: '{{code}} es tu código para iniciar sesión en {{app}}',
    paragraphs: [
      `Este es tu código para iniciar sesión en {{app}}. ${lifetime}`,
      `Si no lo has solicitado, ignora este correo: nadie puede iniciar sesión sin el código. ${keepIt}`,
    ],
  },
  reset: {
    subject: '{{code}} es tu código para una nueva contraseña de {{app}}',
    paragraphs: [
      `Este es tu código para establecer una nueva contraseña de tu cuenta de {{app}}. ${lifetime}`,
      `Si no lo has solicitado, ignora este correo: tu contraseña no cambia. ${keepIt}`,
    ],
  },
  verification: {
    subject: '{{code}} es tu código para confirmar tu correo en {{app}}',
    paragraphs: [
      `Este es tu código para confirmar el correo de tu cuenta de {{app}}. ${lifetime}`,
      `Si no tienes una cuenta de {{app}}, ignora este correo. ${keepIt}`,
    ],
  },
  email_change: {
    subject: '{{code}} es tu código para usar este correo en {{app}}',
    paragraphs: [
      `Este es tu código para cambiar el correo de tu cuenta de {{app}} por este. ${lifetime}`,
      `Si no lo has solicitado, ignora este correo: nada cambia sin el código. ${keepIt}`,
    ],
  },
  password_changed: {
    subject: 'Se ha cambiado tu contraseña de {{app}}',
    paragraphs: [
      'La contraseña de tu cuenta de {{app}} se cambió el {{when}}.',
      `${nothingToDo} Si no, establece una nueva de inmediato: ${newPassword}. ${signsOut}`,
    ],
  },
  email_changed: {
    subject: 'Se ha cambiado el correo de tu cuenta de {{app}}',
    paragraphs: [
      'El correo de tu cuenta de {{app}} se cambió el {{when}}: era este y ahora es otro.',
      `${nothingToDo} Si no, contacta con {{app}} de inmediato.`,
    ],
  },
  provider_linked: {
    subject: 'Nueva forma de iniciar sesión en tu cuenta de {{app}}',
    paragraphs: [
      'Una cuenta de {{service}} se vinculó a tu cuenta de {{app}} el {{when}}. A partir de ahora sirve para iniciar sesión.',
      `${nothingToDo} Si no, desvincúlala en {{app}} y establece una nueva contraseña: ${newPassword}.`,
    ],
  },
  provider_unlinked: {
    subject: 'Se ha quitado una forma de iniciar sesión en tu cuenta de {{app}}',
    paragraphs: [
      'La cuenta de {{service}} se desvinculó de tu cuenta de {{app}} el {{when}}. Ya no sirve para iniciar sesión.',
      `${nothingToDo} Si no, establece una nueva contraseña de inmediato: ${newPassword}. ${signsOut}`,
    ],
  },
  passkey_added: {
    subject: 'Se ha añadido una llave de acceso a tu cuenta de {{app}}',
    paragraphs: [
      'Una llave de acceso se añadió a tu cuenta de {{app}} el {{when}}. A partir de ahora sirve para iniciar sesión.',
      `${nothingToDo} Si no, quítala en {{app}} y establece una nueva contraseña: ${newPassword}.`,
    ],
  },
  passkey_removed: {
    subject: 'Se ha quitado una llave de acceso de tu cuenta de {{app}}',
    paragraphs: [
      'Una llave de acceso de tu cuenta de {{app}} se quitó el {{when}}. Ya no sirve para iniciar sesión.',
      `${nothingToDo} Si no, establece una nueva contraseña de inmediato: ${newPassword}. ${signsOut}`,
    ],
  },
  second_factor_enrolled: {
    subject: 'Se ha añadido una app de autenticación a tu cuenta de {{app}}',
    paragraphs: [
      'Una app de autenticación se añadió a tu cuenta de {{app}} el {{when}}. A partir de ahora, cada inicio de sesión necesita un código de ella.',
      'Guarda los códigos de recuperación donde los encuentres sin tu teléfono. ' +
        `Si no fuiste tú, establece una nueva contraseña de inmediato (${newPassword}) y contacta con {{app}}.`,
    ],
  },
  second_factor_removed: {
    subject: 'Se ha quitado la app de autenticación de tu cuenta de {{app}}',
    paragraphs: [
      'La app de autenticación y los códigos de recuperación de tu cuenta de {{app}} se quitaron el {{when}}. Para iniciar sesión ya no se necesita un código de ella.',
      `Si no esperabas este cambio, establece una nueva contraseña de inmediato: ${newPassword}. ${signsOut} Después, vuelve a añadir la app de autenticación.`,
    ],
  },
  recovery_code_used: {
    subject: 'Se ha usado un código de recuperación de tu cuenta de {{app}}',
    paragraphs: [
      'El {{when}} se usó un código de recuperación para confirmar tu identidad en tu cuenta de {{app}}. No sirve una segunda vez.',
      'Si fuiste tú y has perdido tu app de autenticación, quítala en {{app}} y añade otra. ' +
        `Si no fuiste tú, establece una nueva contraseña de inmediato: ${newPassword}.`,
    ],
  },
  new_device: {
    subject: 'Un dispositivo nuevo ha iniciado sesión en tu cuenta de {{app}}',
    paragraphs: [
      'El {{when}} un dispositivo hasta ahora desconocido inició sesión en tu cuenta de {{app}}: {{device}}.',
      `${nothingToDo} Si no, establece una contraseña nueva de inmediato: ${newPassword}. ${signsOut}`,
    ],
  },
  export_ready: {
    subject: 'Los datos de tu cuenta de {{app}} están listos',
    paragraphs: [
      'La exportación de los datos de tu cuenta de {{app}} se completó el {{when}}. Puedes descargarla en {{app}} durante siete días.',
      `Si no la has pedido, establece una contraseña nueva de inmediato: ${newPassword}. ${signsOut}`,
    ],
  },
  account_deleted: {
    subject: 'Se ha eliminado tu cuenta de {{app}}',
    paragraphs: [
      'Tu cuenta de {{app}} y sus datos se eliminaron el {{when}}. No se pueden restaurar.',
      'Si no fuiste tú, contacta con {{app}} de inmediato. Puedes crear una cuenta nueva con este correo.',
    ],
  },
  unproven_removed: {
    subject: 'Se ha protegido tu cuenta de {{app}}',
    paragraphs: [
      'El {{when}} se usó por primera vez en tu cuenta de {{app}} un código que te enviamos por correo. Así se confirmó que el correo es ' +
        'tuyo. Hemos quitado lo que se había añadido antes, porque pudo añadirlo otra persona: servicios vinculados, llaves de acceso, ' +
        'dispositivos con la sesión iniciada y, en la mayoría de los casos, la contraseña.',
      `Si tu contraseña ya no funciona, establece una nueva: ${newPassword}.`,
    ],
  },
  invitation: {
    subject: 'Invitación al equipo de {{app}}',
    paragraphs: [
      '{{inviter}} te ha invitado al equipo de {{app}}, con el rol «{{role}}». El enlace sirve una sola vez, hasta el {{when}}.',
      shareNoLink,
    ],
  },
  owner_invitation: {
    subject: 'Invitación para ser propietario del servicio',
    paragraphs: [
      '{{inviter}} te ha invitado a gestionar este servicio como propietario de todas sus apps. El enlace sirve una sola vez, hasta el {{when}}.',
      shareNoLink,
    ],
  },
  sign_in_settings_changed: {
    subject: 'Se han cambiado los ajustes de inicio de sesión de {{app}}',
    paragraphs: [
      '{{by}} cambió estos ajustes de la app {{app}} el {{when}}: {{settings}}.',
      'Determinan quién puede iniciar sesión y adónde se envían los códigos. Si no esperabas este cambio, revisa los ajustes y el ' +
        'registro de auditoría de la app, y quita al miembro o revoca la clave secreta.',
    ],
  },
  signInLink: 'Iniciar sesión en {{app}}',
  invitationLink: 'Aceptar la invitación',
};
