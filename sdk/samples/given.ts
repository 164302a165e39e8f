// Values that the code samples assume: from a provider, the platform or an earlier call.
export const idToken = 'eyJhbGciOiJSUzI1NiJ9.e30.c2ln';
export const identityToken = 'eyJhbGciOiJSUzI1NiJ9.e30.c2ln';
export const authorizationCode = 'c1f0e2';
export const accessToken =
  'eyJhbGciOiAiRVMyNTYiLCAidHlwIjogImF0K2p3dCIsICJraWQiOiAiOFJXRHBKcFdqM3MifQ.eyJzdWIiOiAiMDFKQzRRN00wUlo5WDJWNVQ4VzNZNksxTkIifQ.c2ln';
export const nonce = 'Q3J5cHRv';
export const ticket = 'sf_AQ';
export const token = 'fGw0qy4TQfmX:APA91bH5Vt';
export const photo = new Blob(['…'], { type: 'image/jpeg' });
export const etag = '"7-9f86d081884c7d65"';
export const parameters = {};
