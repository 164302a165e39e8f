// URLs by which an attacker tries to make the service call internal addresses.

/** Every notation of IP addresses that are not public. */
export const internalUrls = [
  ...['https://127.0.0.1/', 'https://127.1/', 'https://127.255.255.255/'],
  ...['https://2130706433/', 'https://0x7f000001/', 'https://017700000001/'],
  ...['https://0177.0.0.1/', 'https://0x7f.0.0.1/', 'https://0177.0x0.1/', 'https://127.0.0.1./'],
  ...['https://①②⑦.⓪.⓪.①/', 'https://127%2E0%2E0%2E1/'],
  ...['https://10.1.2.3/', 'https://172.16.0.1/', 'https://192.168.1.1/', 'https://3232235777/'],
  ...['https://169.254.169.254/latest/meta-data', 'https://2852039166/', 'https://0251.0376.0251.0376/'],
  ...['https://100.64.0.1/', 'https://0.0.0.0/', 'https://0/', 'https://0.1.2.3/', 'https://192.0.0.1/'],
  ...['https://198.18.0.1/', 'https://224.0.0.1/', 'https://240.0.0.1/', 'https://255.255.255.255/'],
  ...['https://[::1]/', 'https://[::]/', 'https://[::127.0.0.1]/', 'https://[0:0:0:0:0:0:0:1]/'],
  ...['https://[::ffff:127.0.0.1]/', 'https://[::ffff:7f00:1]/', 'https://[::ffff:169.254.169.254]/'],
  ...['https://[64:ff9b::127.0.0.1]/', 'https://[64:ff9b::a9fe:a9fe]/', 'https://[64:ff9b:1::1]/'],
  ...['https://[2002:7f00:1::]/', 'https://[2002:a9fe:a9fe::]/', 'https://[2001::1]/'],
  ...['https://[fe80::1]/', 'https://[fc00::1]/', 'https://[fd00:ec2::254]/', 'https://[ff02::1]/'],
];

/** Addresses that the DNS of an attacker may answer. */
export const internalNames = [
  ...['127.0.0.1', '10.0.0.1', '169.254.169.254', '100.64.0.1', '::1', 'fd00:ec2::254', '::ffff:127.0.0.1'],
  ...['64:ff9b::a00:1', '0.0.0.0'],
];

export const localhostUrls = [
  ...['https://localhost/', 'https://LOCALHOST/', 'https://localhost./', 'https://a.localhost/'],
];
