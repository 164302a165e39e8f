// Turkish. Formal address: siz. Placeholders take no suffix, because it would depend on the name.
import type { MailWords } from '../words.js';

const lifetime = 'Yalnızca bir kez ve {{minutes}} dakika boyunca geçerlidir.';
const keepIt = 'Kodu asla kimseyle paylaşmayın.';
const newPassword =
  '{{app}} uygulamasını açın, parola sıfırlama isteyin ve size e-postayla gönderdiğimiz kodu girin';
const nothingToDo = 'Bu işlemi siz yaptıysanız bir şey yapmanız gerekmez.';
const signsOut = 'Bu, tüm cihazlardaki oturumları da kapatır.';
const shareNoLink =
  'Bu daveti beklemiyorsanız bu e-postayı yok sayın: Bağlantı olmadan hiçbir şey değişmez. Bağlantıyı paylaşmayın, çünkü ona sahip ' +
  'olan herkes daveti kabul edebilir.';

export const tr: MailWords = {
  sign_in: {
    subject: '{{code}}: {{app}} için oturum açma kodunuz',
    paragraphs: [
      `Bu, {{app}} hesabınızda oturum açma kodunuzdur. ${lifetime}`,
      `Bu kodu siz istemediyseniz bu e-postayı yok sayın: Kod olmadan kimse oturum açamaz. ${keepIt}`,
    ],
  },
  reset: {
    subject: '{{code}}: {{app}} için yeni parola kodunuz',
    paragraphs: [
      `Bu, {{app}} hesabınız için yeni parola belirleme kodunuzdur. ${lifetime}`,
      `Bu kodu siz istemediyseniz bu e-postayı yok sayın: Parolanız aynı kalır. ${keepIt}`,
    ],
  },
  verification: {
    subject: '{{code}}: {{app}} için e-posta doğrulama kodunuz',
    paragraphs: [
      `Bu, {{app}} hesabınızın e-posta adresini doğrulama kodunuzdur. ${lifetime}`,
      `{{app}} hesabınız yoksa bu e-postayı yok sayın. ${keepIt}`,
    ],
  },
  email_change: {
    subject: '{{code}}: {{app}} için bu e-posta adresini kullanma kodunuz',
    paragraphs: [
      `Bu, {{app}} hesabınızın e-posta adresini bu adresle değiştirme kodunuzdur. ${lifetime}`,
      `Bu kodu siz istemediyseniz bu e-postayı yok sayın: Kod olmadan hiçbir şey değişmez. ${keepIt}`,
    ],
  },
  password_changed: {
    subject: '{{app}} parolanız değiştirildi',
    paragraphs: [
      '{{app}} hesabınızın parolası {{when}} tarihinde değiştirildi.',
      `${nothingToDo} Değilse hemen yeni bir parola belirleyin: ${newPassword}. ${signsOut}`,
    ],
  },
  email_changed: {
    subject: '{{app}} hesabınızın e-posta adresi değiştirildi',
    paragraphs: [
      '{{app}} hesabınızın e-posta adresi {{when}} tarihinde bu adresten başka bir adrese değiştirildi.',
      `${nothingToDo} Değilse hemen {{app}} ile iletişime geçin.`,
    ],
  },
  provider_linked: {
    subject: '{{app}} hesabınız için yeni bir oturum açma yöntemi',
    paragraphs: [
      '{{when}} tarihinde bir {{service}} hesabı {{app}} hesabınıza bağlandı. Artık oturum açmak için kullanılabilir.',
      `${nothingToDo} Değilse {{app}} içinde bağlantısını kaldırın ve yeni bir parola belirleyin: ${newPassword}.`,
    ],
  },
  provider_unlinked: {
    subject: '{{app}} hesabınızdan bir oturum açma yöntemi kaldırıldı',
    paragraphs: [
      '{{when}} tarihinde {{service}} hesabının {{app}} hesabınızla bağlantısı kaldırıldı. Artık oturum açmak için kullanılamaz.',
      `${nothingToDo} Değilse hemen yeni bir parola belirleyin: ${newPassword}. ${signsOut}`,
    ],
  },
  passkey_added: {
    subject: '{{app}} hesabınıza bir geçiş anahtarı eklendi',
    paragraphs: [
      '{{when}} tarihinde {{app}} hesabınıza bir geçiş anahtarı eklendi. Artık oturum açmak için kullanılabilir.',
      `${nothingToDo} Değilse {{app}} içinde onu kaldırın ve yeni bir parola belirleyin: ${newPassword}.`,
    ],
  },
  passkey_removed: {
    subject: '{{app}} hesabınızdan bir geçiş anahtarı kaldırıldı',
    paragraphs: [
      '{{when}} tarihinde {{app}} hesabınızın bir geçiş anahtarı kaldırıldı. Artık oturum açmak için kullanılamaz.',
      `${nothingToDo} Değilse hemen yeni bir parola belirleyin: ${newPassword}. ${signsOut}`,
    ],
  },
  second_factor_enrolled: {
    subject: '{{app}} hesabınıza bir kimlik doğrulama uygulaması eklendi',
    paragraphs: [
      '{{when}} tarihinde {{app}} hesabınıza bir kimlik doğrulama uygulaması eklendi. Artık her oturum açışta bu uygulamadan bir kod gerekir.',
      'Kurtarma kodlarını telefonunuz olmadan bulabileceğiniz bir yerde saklayın. ' +
        `Bu işlemi siz yapmadıysanız hemen yeni bir parola belirleyin (${newPassword}) ve {{app}} ile iletişime geçin.`,
    ],
  },
  second_factor_removed: {
    subject: '{{app}} hesabınızın kimlik doğrulama uygulaması kaldırıldı',
    paragraphs: [
      '{{when}} tarihinde {{app}} hesabınızın kimlik doğrulama uygulaması ve kurtarma kodları kaldırıldı. Oturum açmak için artık bu uygulamadan kod gerekmez.',
      `Bunu beklemiyorsanız hemen yeni bir parola belirleyin: ${newPassword}. ${signsOut} Ardından kimlik doğrulama uygulamasını yeniden ekleyin.`,
    ],
  },
  recovery_code_used: {
    subject: '{{app}} hesabınızın bir kurtarma kodu kullanıldı',
    paragraphs: [
      '{{when}} tarihinde {{app}} hesabınız için kimliğinizi doğrulamak üzere bir kurtarma kodu kullanıldı. Bu kod ikinci kez kullanılamaz.',
      'Bu işlemi siz yaptıysanız ve kimlik doğrulama uygulamanızı kaybettiyseniz onu {{app}} içinde kaldırın ve başka birini ekleyin. ' +
        `Siz yapmadıysanız hemen yeni bir parola belirleyin: ${newPassword}.`,
    ],
  },
  new_device: {
    subject: '{{app}} hesabınızda yeni bir cihazdan oturum açıldı',
    paragraphs: [
      '{{when}} tarihinde {{app}} hesabınızda daha önce bilinmeyen bir cihazdan oturum açıldı: {{device}}.',
      `${nothingToDo} Değilse hemen yeni bir parola belirleyin: ${newPassword}. ${signsOut}`,
    ],
  },
  export_ready: {
    subject: '{{app}} hesabınızın verileri hazır',
    paragraphs: [
      '{{app}} hesabınızın verilerinin dışa aktarımı {{when}} tarihinde tamamlandı. Verileri {{app}} içinde yedi gün boyunca indirebilirsiniz.',
      `Bunu siz istemediyseniz hemen yeni bir parola belirleyin: ${newPassword}. ${signsOut}`,
    ],
  },
  account_deleted: {
    subject: '{{app}} hesabınız silindi',
    paragraphs: [
      '{{app}} hesabınız ve verileri {{when}} tarihinde silindi. Geri yüklenemezler.',
      'Bu işlemi siz yapmadıysanız hemen {{app}} ile iletişime geçin. Bu e-posta adresiyle yeni bir hesap oluşturabilirsiniz.',
    ],
  },
  unproven_removed: {
    subject: '{{app}} hesabınız güvenceye alındı',
    paragraphs: [
      '{{when}} tarihinde, size e-postayla gönderdiğimiz bir kod {{app}} hesabınız için ilk kez kullanıldı. Böylece e-posta adresinin size ait ' +
        'olduğu doğrulandı. Daha önce eklenenleri, başka biri eklemiş olabileceği için kaldırdık: bağlı hizmetler, geçiş anahtarları, ' +
        'oturum açılmış cihazlar ve çoğu durumda parola.',
      `Parolanız artık çalışmıyorsa yeni bir parola belirleyin: ${newPassword}.`,
    ],
  },
  invitation: {
    subject: '{{app}} ekibine davet edildiniz',
    paragraphs: [
      '{{inviter}} sizi “{{role}}” rolüyle {{app}} ekibine davet etti. Bağlantı bir kez ve {{when}} tarihine kadar geçerlidir.',
      shareNoLink,
    ],
  },
  owner_invitation: {
    subject: 'Hizmetin sahibi olmaya davet edildiniz',
    paragraphs: [
      '{{inviter}} sizi bu hizmeti tüm uygulamalarının sahibi olarak yönetmeye davet etti. Bağlantı bir kez ve {{when}} tarihine kadar geçerlidir.',
      shareNoLink,
    ],
  },
  sign_in_settings_changed: {
    subject: '{{app}} oturum açma ayarları değiştirildi',
    paragraphs: [
      '{{by}}, {{when}} tarihinde {{app}} uygulamasının şu ayarlarını değiştirdi: {{settings}}.',
      'Bu ayarlar kimlerin oturum açabileceğini ve kodların nereye gönderileceğini belirler. Bu değişikliği beklemiyorsanız uygulamanın ' +
        'ayarlarını ve denetim günlüğünü kontrol edin, üyeyi kaldırın veya gizli anahtarı iptal edin.',
    ],
  },
  signInLink: '{{app}} hesabında oturum aç',
  invitationLink: 'Daveti kabul et',
};
