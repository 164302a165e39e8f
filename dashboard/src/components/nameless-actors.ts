// The actors of audit entries without a name of their own, in words.

export const namelessActors: Readonly<Record<string, string>> = {
  system: 'the service',
  service: 'the service',
  command_line: 'the command line',
  anonymous: 'an anonymous caller',
};
