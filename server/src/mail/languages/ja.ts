// Japanese. Polite form (です・ます).
import type { MailWords } from '../words.js';

const lifetime = '1回限り有効で、有効期限は{{minutes}}分です。';
const keepIt = '誰にも教えないでください。';
const newPassword = '{{app}} を開いてパスワードの再設定を申請し、メールで届くコードを入力してください。';
const nothingToDo = 'お心当たりがある場合、操作は必要ありません。';
const signsOut = 'これにより、すべてのデバイスからもログアウトされます。';
const shareNoLink =
  'お心当たりがない場合は、このメールを無視してください。リンクを開かない限り、何も変更されません。リンクを知っている人は誰でも招待を承諾できるため、' +
  'リンクを共有しないでください。';

export const ja: MailWords = {
  sign_in: {
    subject: '{{code}} は {{app}} のログインコードです',
    paragraphs: [
      `{{app}} にログインするためのコードです。${lifetime}`,
      `お心当たりがない場合は、このメールを無視してください。コードがなければ誰もログインできません。コードは${keepIt}`,
    ],
  },
  reset: {
    subject: '{{code}} は {{app}} のパスワード再設定コードです',
    paragraphs: [
      `{{app}} アカウントの新しいパスワードを設定するためのコードです。${lifetime}`,
      `お心当たりがない場合は、このメールを無視してください。パスワードは変更されません。コードは${keepIt}`,
    ],
  },
  verification: {
    subject: '{{code}} は {{app}} のメールアドレス確認コードです',
    paragraphs: [
      `{{app}} アカウントのメールアドレスを確認するためのコードです。${lifetime}`,
      `{{app}} アカウントをお持ちでない場合は、このメールを無視してください。コードは${keepIt}`,
    ],
  },
  email_change: {
    subject: '{{code}} は {{app}} のメールアドレス変更コードです',
    paragraphs: [
      `{{app}} アカウントのメールアドレスをこのアドレスに変更するためのコードです。${lifetime}`,
      `お心当たりがない場合は、このメールを無視してください。コードがなければ何も変更されません。コードは${keepIt}`,
    ],
  },
  password_changed: {
    subject: '{{app}} のパスワードが変更されました',
    paragraphs: [
      '{{when}} に {{app}} アカウントのパスワードが変更されました。',
      `${nothingToDo}お心当たりがない場合は、すぐに新しいパスワードを設定してください。${newPassword}${signsOut}`,
    ],
  },
  email_changed: {
    subject: '{{app}} アカウントのメールアドレスが変更されました',
    paragraphs: [
      '{{when}} に {{app}} アカウントのメールアドレスが、このアドレスから別のアドレスに変更されました。',
      `${nothingToDo}お心当たりがない場合は、すぐに {{app}} にお問い合わせください。`,
    ],
  },
  provider_linked: {
    subject: '{{app}} アカウントに新しいログイン方法が追加されました',
    paragraphs: [
      '{{when}} に {{service}} のアカウントが {{app}} アカウントに連携されました。今後はこのアカウントでログインできます。',
      `${nothingToDo}お心当たりがない場合は、{{app}} で連携を解除し、新しいパスワードを設定してください。${newPassword}`,
    ],
  },
  provider_unlinked: {
    subject: '{{app}} アカウントのログイン方法が削除されました',
    paragraphs: [
      '{{when}} に {{service}} のアカウントと {{app}} アカウントの連携が解除されました。今後はこのアカウントでログインできません。',
      `${nothingToDo}お心当たりがない場合は、すぐに新しいパスワードを設定してください。${newPassword}${signsOut}`,
    ],
  },
  passkey_added: {
    subject: '{{app}} アカウントにパスキーが追加されました',
    paragraphs: [
      '{{when}} に {{app}} アカウントにパスキーが追加されました。今後はこのパスキーでログインできます。',
      `${nothingToDo}お心当たりがない場合は、{{app}} でパスキーを削除し、新しいパスワードを設定してください。${newPassword}`,
    ],
  },
  passkey_removed: {
    subject: '{{app}} アカウントのパスキーが削除されました',
    paragraphs: [
      '{{when}} に {{app}} アカウントのパスキーが削除されました。今後はこのパスキーでログインできません。',
      `${nothingToDo}お心当たりがない場合は、すぐに新しいパスワードを設定してください。${newPassword}${signsOut}`,
    ],
  },
  second_factor_enrolled: {
    subject: '{{app}} アカウントに認証アプリが追加されました',
    paragraphs: [
      '{{when}} に {{app}} アカウントに認証アプリが追加されました。今後はログインのたびに認証アプリのコードが必要です。',
      '回復コードは、スマートフォンがなくても確認できる場所に保管してください。' +
        `お心当たりがない場合は、すぐに新しいパスワードを設定し、{{app}} にお問い合わせください。${newPassword}`,
    ],
  },
  second_factor_removed: {
    subject: '{{app}} アカウントの認証アプリが削除されました',
    paragraphs: [
      '{{when}} に {{app}} アカウントの認証アプリと回復コードが削除されました。ログイン時に認証アプリのコードは不要になりました。',
      `お心当たりがない場合は、すぐに新しいパスワードを設定してください。${newPassword}${signsOut}その後、認証アプリを追加し直してください。`,
    ],
  },
  recovery_code_used: {
    subject: '{{app}} アカウントの回復コードが使用されました',
    paragraphs: [
      '{{when}} に {{app}} アカウントの本人確認のため、回復コードが使用されました。同じコードは再使用できません。',
      'ご本人の操作で、認証アプリを紛失された場合は、{{app}} で認証アプリを削除し、別のものを追加してください。' +
        `お心当たりがない場合は、すぐに新しいパスワードを設定してください。${newPassword}`,
    ],
  },
  new_device: {
    subject: '新しいデバイスから {{app}} アカウントにログインがありました',
    paragraphs: [
      '{{when}} に、これまで使われていなかったデバイスから {{app}} アカウントにログインがありました：{{device}}',
      `${nothingToDo}お心当たりがない場合は、すぐに新しいパスワードを設定してください。${newPassword}${signsOut}`,
    ],
  },
  export_ready: {
    subject: '{{app}} アカウントのデータの準備ができました',
    paragraphs: [
      '{{when}} に {{app}} アカウントのデータのエクスポートが完了しました。7日間、{{app}} でダウンロードできます。',
      `ご自身で依頼していない場合は、すぐに新しいパスワードを設定してください。${newPassword}${signsOut}`,
    ],
  },
  account_deleted: {
    subject: '{{app}} アカウントが削除されました',
    paragraphs: [
      '{{when}} に {{app}} アカウントとそのデータが削除されました。復元することはできません。',
      'お心当たりがない場合は、すぐに {{app}} にお問い合わせください。このメールアドレスで新しいアカウントを作成できます。',
    ],
  },
  unproven_removed: {
    subject: '{{app}} アカウントが保護されました',
    paragraphs: [
      '{{when}} に、メールでお送りしたコードが {{app}} アカウントで初めて使用され、メールアドレスがご本人のものであることが確認されました。' +
        'それ以前に追加されたものは第三者が追加した可能性があるため、削除しました。対象は、連携サービス、パスキー、ログイン中のデバイスと、多くの場合パスワードです。',
      `パスワードが使えなくなった場合は、新しいパスワードを設定してください。${newPassword}`,
    ],
  },
  invitation: {
    subject: '{{app}} のチームへの招待',
    paragraphs: [
      '{{inviter}} さんから、{{app}} のチームに「{{role}}」の役割で招待されました。リンクは1回限り有効です（有効期限：{{when}}）。',
      shareNoLink,
    ],
  },
  owner_invitation: {
    subject: 'サービスのオーナーへの招待',
    paragraphs: [
      '{{inviter}} さんから、すべてのアプリのオーナーとしてこのサービスを管理するよう招待されました。リンクは1回限り有効です（有効期限：{{when}}）。',
      shareNoLink,
    ],
  },
  sign_in_settings_changed: {
    subject: '{{app}} のログイン設定が変更されました',
    paragraphs: [
      '{{when}} に {{by}} がアプリ {{app}} の次の設定を変更しました：{{settings}}',
      'これらの設定は、ログインできるユーザーとコードの送信先を決めるものです。お心当たりがない変更の場合は、アプリの設定と監査ログを確認し、' +
        'メンバーを削除するか、シークレットキーを無効にしてください。',
    ],
  },
  signInLink: '{{app}} にログイン',
  invitationLink: '招待を承諾する',
};
