// Chinese in simplified characters. Polite address: 您.
import type { MailWords } from '../words.js';

const lifetime = '该验证码只能使用一次，{{minutes}} 分钟内有效。';
const keepIt = '切勿将验证码告诉任何人。';
const newPassword = '打开 {{app}}，申请重置密码，然后输入我们通过电子邮件发送给您的验证码。';
const nothingToDo = '如果是您本人操作，则无需理会。';
const signsOut = '这也会使所有设备退出登录。';
const shareNoLink =
  '如果您没有预料到这份邀请，请忽略此邮件：不使用该链接，就不会有任何更改。请勿分享该链接，因为任何拥有它的人都可以接受邀请。';

export const zhHans: MailWords = {
  sign_in: {
    subject: '{{code}} 是您的 {{app}} 登录验证码',
    paragraphs: [
      `这是您登录 {{app}} 的验证码。${lifetime}`,
      `如果不是您申请的，请忽略此邮件：没有验证码，任何人都无法登录。${keepIt}`,
    ],
  },
  reset: {
    subject: '{{code}} 是您设置 {{app}} 新密码的验证码',
    paragraphs: [
      `这是您为 {{app}} 账号设置新密码的验证码。${lifetime}`,
      `如果不是您申请的，请忽略此邮件：您的密码不会改变。${keepIt}`,
    ],
  },
  verification: {
    subject: '{{code}} 是您在 {{app}} 确认邮箱的验证码',
    paragraphs: [
      `这是确认您 {{app}} 账号邮箱的验证码。${lifetime}`,
      `如果您没有 {{app}} 账号，请忽略此邮件。${keepIt}`,
    ],
  },
  email_change: {
    subject: '{{code}} 是您在 {{app}} 使用此邮箱的验证码',
    paragraphs: [
      `这是将您 {{app}} 账号的邮箱更改为此邮箱的验证码。${lifetime}`,
      `如果不是您申请的，请忽略此邮件：没有验证码，就不会有任何更改。${keepIt}`,
    ],
  },
  password_changed: {
    subject: '您的 {{app}} 密码已更改',
    paragraphs: [
      '您 {{app}} 账号的密码已于 {{when}} 更改。',
      `${nothingToDo}如果不是，请立即设置新密码：${newPassword}${signsOut}`,
    ],
  },
  email_changed: {
    subject: '您 {{app}} 账号的邮箱已更改',
    paragraphs: [
      '您 {{app}} 账号的邮箱已于 {{when}} 从此邮箱更改为其他邮箱。',
      `${nothingToDo}如果不是，请立即联系 {{app}}。`,
    ],
  },
  provider_linked: {
    subject: '您的 {{app}} 账号新增了一种登录方式',
    paragraphs: [
      '一个 {{service}} 账号已于 {{when}} 关联到您的 {{app}} 账号，今后可用于登录。',
      `${nothingToDo}如果不是，请在 {{app}} 中取消关联并设置新密码：${newPassword}`,
    ],
  },
  provider_unlinked: {
    subject: '您的 {{app}} 账号移除了一种登录方式',
    paragraphs: [
      '{{service}} 账号已于 {{when}} 与您的 {{app}} 账号取消关联，不能再用于登录。',
      `${nothingToDo}如果不是，请立即设置新密码：${newPassword}${signsOut}`,
    ],
  },
  passkey_added: {
    subject: '您的 {{app}} 账号添加了通行密钥',
    paragraphs: [
      '您的 {{app}} 账号已于 {{when}} 添加了一个通行密钥，今后可用于登录。',
      `${nothingToDo}如果不是，请在 {{app}} 中移除它并设置新密码：${newPassword}`,
    ],
  },
  passkey_removed: {
    subject: '您的 {{app}} 账号移除了通行密钥',
    paragraphs: [
      '您 {{app}} 账号的一个通行密钥已于 {{when}} 移除，不能再用于登录。',
      `${nothingToDo}如果不是，请立即设置新密码：${newPassword}${signsOut}`,
    ],
  },
  second_factor_enrolled: {
    subject: '您的 {{app}} 账号添加了身份验证器应用',
    paragraphs: [
      '您的 {{app}} 账号已于 {{when}} 添加了身份验证器应用。今后每次登录都需要该应用中的验证码。',
      `请将恢复代码保存在没有手机也能找到的地方。如果不是您本人操作，请立即设置新密码并联系 {{app}}。设置新密码：${newPassword}`,
    ],
  },
  second_factor_removed: {
    subject: '您 {{app}} 账号的身份验证器应用已移除',
    paragraphs: [
      '您 {{app}} 账号的身份验证器应用和恢复代码已于 {{when}} 移除。登录时不再需要该应用中的验证码。',
      `如果您没有预料到此更改，请立即设置新密码：${newPassword}${signsOut}然后重新添加身份验证器应用。`,
    ],
  },
  recovery_code_used: {
    subject: '您 {{app}} 账号的一个恢复代码已被使用',
    paragraphs: [
      '{{when}} 有人使用恢复代码为您的 {{app}} 账号确认了身份。该代码不能再次使用。',
      `如果是您本人操作，并且您丢失了身份验证器应用，请在 {{app}} 中将其移除并添加新的应用。如果不是您，请立即设置新密码：${newPassword}`,
    ],
  },
  new_device: {
    subject: '有新设备登录了您的 {{app}} 账号',
    paragraphs: [
      '{{when}}，一台此前未知的设备登录了您的 {{app}} 账号：{{device}}。',
      `${nothingToDo}如果不是，请立即设置新密码：${newPassword}${signsOut}`,
    ],
  },
  export_ready: {
    subject: '您的 {{app}} 账号数据已准备就绪',
    paragraphs: [
      '您的 {{app}} 账号数据已于 {{when}} 导出完成。您可以在七天内从 {{app}} 下载。',
      `如果您没有申请导出，请立即设置新密码：${newPassword}${signsOut}`,
    ],
  },
  account_deleted: {
    subject: '您的 {{app}} 账号已删除',
    paragraphs: [
      '您的 {{app}} 账号及其数据已于 {{when}} 删除，无法恢复。',
      '如果不是您本人操作，请立即联系 {{app}}。您可以使用此邮箱创建新账号。',
    ],
  },
  unproven_removed: {
    subject: '您的 {{app}} 账号已受到保护',
    paragraphs: [
      '{{when}} 我们通过电子邮件发送给您的验证码首次用于您的 {{app}} 账号，由此确认该邮箱属于您。' +
        '此前添加的内容可能来自他人，因此我们已将其移除：关联的服务、通行密钥、已登录的设备，以及多数情况下的密码。',
      `如果您的密码不再有效，请设置新密码：${newPassword}`,
    ],
  },
  invitation: {
    subject: '邀请您加入 {{app}} 团队',
    paragraphs: [
      '{{inviter}} 邀请您以“{{role}}”角色加入 {{app}} 团队。链接只能使用一次，有效期至 {{when}}。',
      shareNoLink,
    ],
  },
  owner_invitation: {
    subject: '邀请您成为服务的所有者',
    paragraphs: [
      '{{inviter}} 邀请您以所有应用的所有者身份管理此服务。链接只能使用一次，有效期至 {{when}}。',
      shareNoLink,
    ],
  },
  sign_in_settings_changed: {
    subject: '{{app}} 的登录设置已更改',
    paragraphs: [
      '{{by}} 于 {{when}} 更改了应用 {{app}} 的以下设置：{{settings}}。',
      '这些设置决定谁可以登录以及验证码发送到哪里。如果您没有预料到此更改，请检查应用的设置和审计日志，并移除该成员或撤销密钥。',
    ],
  },
  signInLink: '登录 {{app}}',
  invitationLink: '接受邀请',
};
