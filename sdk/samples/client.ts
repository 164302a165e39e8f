// Code samples of the API reference for apps, by operation: the body of each function is shown with its operation.
// biome-ignore-all lint/correctness/noUnusedVariables: the reader's own code uses the results.
import {
  type Client,
  collection,
  completeRedirect,
  files,
  passkeys,
  push,
  remoteConfig,
  secondFactor,
  signInByIdToken,
  signInMethods,
  signInWithProvider,
  userExport,
} from '../src/index.js';
import { authorizationCode, identityToken, idToken, nonce, photo, ticket, token } from './given.js';

export const clientSamples = {
  'signIn.methods': async (foyer: Client) => {
    const { passkeys, providers, sign_up } = await signInMethods(foyer);
  },
  'signIn.signUp': async (foyer: Client) => {
    await foyer.auth.signUp({ email: 'ada@example.com', password: 'correct horse battery staple' });
  },
  'signIn.withPassword': async (foyer: Client) => {
    await foyer.auth.signIn({ email: 'ada@example.com', password: 'correct horse battery staple' });
  },
  'signIn.withProviderA': async (foyer: Client) => {
    const { is_new_user } = await foyer.auth.signInWithProviderA({ id_token: idToken, nonce });
  },
  'signIn.withProviderB': async (foyer: Client) => {
    await foyer.auth.signInWithProviderB({
      identity_token: identityToken,
      authorization_code: authorizationCode,
      nonce,
    });
  },
  'signIn.withProvider': async (foyer: Client) => {
    const { is_new_user } = await signInByIdToken(foyer, 'provider-a', { id_token: idToken, nonce });
  },
  'signIn.beginRedirect': async (foyer: Client) => {
    await signInWithProvider(foyer, 'contoso', { redirectUri: 'https://app.example.com/signed-in' });
  },
  'signIn.finishRedirect': async (foyer: Client) => {
    // On the page of `redirectUri`.
    const result = await completeRedirect(foyer);
  },
  'signIn.passkeyOptions': async (foyer: Client) => {
    // For a call that requires a recent sign-in.
    await foyer.auth.reauthenticate({ passkey: await passkeys(foyer).proof() });
  },
  'signIn.withPasskey': async (foyer: Client) => {
    await passkeys(foyer).signIn();
  },
  'signIn.sendEmailCode': async (foyer: Client) => {
    await foyer.auth.emailCode.send('ada@example.com');
  },
  'signIn.withEmailCode': async (foyer: Client) => {
    await foyer.auth.emailCode.verify({ email: 'ada@example.com', code: '402718' });
  },
  'signIn.reauthenticate': async (foyer: Client) => {
    await foyer.auth.reauthenticate({ password: 'correct horse battery staple' });
  },
  'secondFactor.complete': async (foyer: Client) => {
    // `ticket` is that of the error: `secondFactorOf(error)`.
    await secondFactor(foyer).complete({ ticket, totp: '402718' });
  },
  'secondFactor.enroll': async (foyer: Client) => {
    const { secret, uri } = await secondFactor(foyer).enroll(ticket);
  },
  'secondFactor.confirmEnrollment': async (foyer: Client) => {
    const { recovery_codes } = await secondFactor(foyer).confirmEnrollment({ ticket, code: '402718' });
  },
  'secondFactor.get': async (foyer: Client) => {
    const { totp, recovery_codes_left } = await secondFactor(foyer).get();
  },
  'userExport.request': async (foyer: Client) => {
    const { status } = await userExport(foyer).request();
  },
  'userExport.get': async (foyer: Client) => {
    const { file_id, expires_at } = await userExport(foyer).get();
  },
  'secondFactor.beginTotp': async (foyer: Client) => {
    const { secret, uri } = await secondFactor(foyer).beginTotp();
  },
  'secondFactor.confirmTotp': async (foyer: Client) => {
    const { recovery_codes } = await secondFactor(foyer).confirmTotp('402718');
  },
  'secondFactor.newRecoveryCodes': async (foyer: Client) => {
    const { recovery_codes } = await secondFactor(foyer).newRecoveryCodes();
  },
  'secondFactor.removeTotp': async (foyer: Client) => {
    await secondFactor(foyer).removeTotp();
  },
  'passkeys.list': async (foyer: Client) => {
    const { items } = await passkeys(foyer).list();
  },
  'passkeys.creationOptions': async (foyer: Client) => {
    // Without a dialog, after a sign-in with a password.
    await passkeys(foyer).register({ conditional: true });
  },
  'passkeys.create': async (foyer: Client) => {
    const passkey = await passkeys(foyer).register({ name: 'My laptop' });
  },
  'passkeys.rename': async (foyer: Client) => {
    await passkeys(foyer).rename('01JC4Q7M0RZ9X2V5T8W3Y6K1NB', 'Old laptop');
  },
  'passkeys.remove': async (foyer: Client) => {
    await passkeys(foyer).remove('01JC4Q7M0RZ9X2V5T8W3Y6K1NB');
  },
  'passwords.forgot': async (foyer: Client) => {
    await foyer.auth.password.forgot('ada@example.com');
  },
  'passwords.reset': async (foyer: Client) => {
    await foyer.auth.password.reset({
      email: 'ada@example.com',
      code: '402718',
      password: 'correct horse battery staple',
    });
  },
  'passwords.change': async (foyer: Client) => {
    await foyer.me.changePassword({
      password: 'correct horse battery staple',
      current_password: 'the old passphrase',
    });
  },
  'sessions.refresh': async (foyer: Client) => {
    // The SDK refreshes automatically; this forces a new access token.
    const accessToken = await foyer.auth.getAccessToken({ forceRefresh: true });
  },
  'sessions.signOut': async (foyer: Client) => {
    await foyer.auth.signOut();
  },
  'sessions.signOutAll': async (foyer: Client) => {
    await foyer.auth.signOut({ everywhere: true });
  },
  'sessions.list': async (foyer: Client) => {
    for await (const session of foyer.me.sessions()) console.log(session.device.name);
  },
  'sessions.end': async (foyer: Client) => {
    await foyer.me.endSession('01JC4Q7M0RZ9X2V5T8W3Y6K1NB');
  },
  'profile.get': async (foyer: Client) => {
    const user = await foyer.me.get();
  },
  'profile.update': async (foyer: Client) => {
    const user = await foyer.me.update({ first_name: 'Ada', last_name: 'Lovelace' });
  },
  'profile.delete': async (foyer: Client) => {
    await foyer.me.delete();
  },
  'profile.changeEmail': async (foyer: Client) => {
    await foyer.me.changeEmail('ada@example.org');
  },
  'profile.sendVerification': async (foyer: Client) => {
    await foyer.auth.verification.send();
  },
  'profile.confirmVerification': async (foyer: Client) => {
    const user = await foyer.auth.verification.confirm('402718');
  },
  'push.register': async (foyer: Client) => {
    const device = await push(foyer).register({ provider: 'fcm', platform: 'android', token });
  },
  'push.list': async (foyer: Client) => {
    const { items } = await push(foyer).devices();
  },
  'push.delete': async (foyer: Client) => {
    const device = push(foyer);
    await device.register({ provider: 'fcm', platform: 'android', token });
    await device.unregister();
  },
  'push.subscribe': async (foyer: Client) => {
    const device = push(foyer);
    await device.register({ provider: 'fcm', platform: 'android', token });
    await device.subscribe('news');
  },
  'push.unsubscribe': async (foyer: Client) => {
    const device = push(foyer);
    await device.register({ provider: 'fcm', platform: 'android', token });
    await device.unsubscribe('news');
  },
  'push.webKey': async (foyer: Client) => {
    const applicationServerKey = await push(foyer).webKey();
  },
  'identities.list': async (foyer: Client) => {
    const { items } = await foyer.me.identities();
  },
  'identities.link': async (foyer: Client) => {
    await foyer.me.linkIdentity('provider-a', { id_token: idToken, nonce });
  },
  'identities.unlink': async (foyer: Client) => {
    await foyer.me.unlinkIdentity('provider-a');
  },
  'files.upload': async (foyer: Client) => {
    const { id } = await files(foyer).upload(photo, { visibility: 'private' });
  },
  'files.get': async (foyer: Client) => {
    const file = await files(foyer).get('01JC4Q7M0RZ9X2V5T8W3Y6K1NB');
  },
  'files.delete': async (foyer: Client) => {
    await files(foyer).delete('01JC4Q7M0RZ9X2V5T8W3Y6K1NB');
  },
  'files.url': async (foyer: Client) => {
    const { url } = await files(foyer).url('01JC4Q7M0RZ9X2V5T8W3Y6K1NB', { expiresInSeconds: 900 });
  },
  'loyalty.status': async (foyer: Client) => {
    const { points, tier } = await foyer.me.loyalty();
  },
  'loyalty.history': async (foyer: Client) => {
    for await (const entry of foyer.me.loyaltyHistory()) console.log(entry.points, entry.description);
  },
  'remoteConfig.get': async (foyer: Client) => {
    const telegramUrl = await remoteConfig(foyer).value('telegram_url', 'https://t.me/example');
  },
  'data.create': async (foyer: Client) => {
    const { id } = await collection(foyer, 'notes').create({ title: 'Groceries', done: false });
  },
  'data.list': async (foyer: Client) => {
    for await (const note of collection(foyer, 'notes').list()) console.log(note.fields);
  },
  'data.get': async (foyer: Client) => {
    const note = await collection(foyer, 'notes').get('01JC4Q7M0RZ9X2V5T8W3Y6K1NB');
  },
  'data.replace': async (foyer: Client) => {
    await collection(foyer, 'notes').replace(
      '01JC4Q7M0RZ9X2V5T8W3Y6K1NB',
      { title: 'Groceries', done: true },
      { ifVersion: 1 },
    );
  },
  'data.merge': async (foyer: Client) => {
    await collection(foyer, 'notes').merge('01JC4Q7M0RZ9X2V5T8W3Y6K1NB', { done: true });
  },
  'data.delete': async (foyer: Client) => {
    await collection(foyer, 'notes').delete('01JC4Q7M0RZ9X2V5T8W3Y6K1NB');
  },
  'data.query': async (foyer: Client) => {
    const open = await collection<{ done: boolean; created: string }>(foyer, 'notes')
      .query()
      .where('done', '==', false)
      .orderBy('created', 'desc')
      .limit(20);
  },
};
