// The section Push: the credentials of the push providers.
import { Fieldset, Text, TextInput } from '@mantine/core';
import { Copyable } from '../../components/copyable.tsx';
import { SectionForm } from './section-form.tsx';
import { type SectionProps, useSection } from './use-section.ts';
import { type Secret, WriteOnly } from './write-only.tsx';

export function Push({ settings }: SectionProps) {
  const { fcm, web_push, apns } = settings.push;
  const section = useSection({
    settings,
    valuesOf: ({ push }) => ({
      push: {
        fcm: { service_account: undefined as Secret },
        apns: {
          key_id: push.apns.key_id ?? '',
          team_id: push.apns.team_id ?? '',
          bundle_id: push.apns.bundle_id ?? '',
          private_key: undefined as Secret,
        },
        web_push: { subject: push.web_push.subject ?? '' },
      },
    }),
  });
  const { form } = section;
  const { values, errors } = form;
  return (
    <SectionForm
      title="Push"
      description="Credentials for sending push messages. A provider without credentials is off."
      section={section}
      inputs={['push']}
    >
      <Fieldset legend="Firebase Cloud Messaging (Android)">
        {fcm.project_id && (
          <Text size="sm" mb="sm">
            Project <b>{fcm.project_id}</b>
          </Text>
        )}
        <WriteOnly
          label="Service account"
          description="The JSON key file of a service account that may send messages, from the Firebase console."
          placeholder='{"type": "service_account", …}'
          accept=".json"
          stored={fcm.service_account_set}
          fault={fcm.service_account_fault}
          value={values.push.fcm.service_account}
          error={errors['push.fcm.service_account']}
          onChange={(secret) => form.setFieldValue('push.fcm.service_account', secret)}
        />
      </Fieldset>
      <Fieldset legend="Apple Push Notification service (iOS)">
        <TextInput label="Key ID" mb="sm" spellCheck={false} {...form.getInputProps('push.apns.key_id')} />
        <TextInput label="Team ID" mb="sm" spellCheck={false} {...form.getInputProps('push.apns.team_id')} />
        <TextInput
          label="Bundle ID"
          mb="sm"
          spellCheck={false}
          {...form.getInputProps('push.apns.bundle_id')}
        />
        <WriteOnly
          label="Private key"
          description="The .p8 file of a key with the Apple Push Notifications service enabled."
          placeholder="-----BEGIN PRIVATE KEY-----"
          accept=".p8,.pem,.txt"
          stored={apns.private_key_set}
          fault={apns.private_key_fault}
          value={values.push.apns.private_key}
          error={errors['push.apns.private_key']}
          onChange={(secret) => form.setFieldValue('push.apns.private_key', secret)}
        />
      </Fieldset>
      <Fieldset legend="Web Push (browsers)">
        <TextInput
          label="Contact"
          description="A mailto: or https: URL for push services. Setting it enables Web Push."
          placeholder="mailto:push@example.com"
          spellCheck={false}
          {...form.getInputProps('push.web_push.subject')}
        />
        {web_push.public_key && (
          <>
            <Text size="sm" fw={500} mt="sm">
              Public key for subscriptions
            </Text>
            <Copyable value={web_push.public_key} label="public key" />
          </>
        )}
      </Fieldset>
    </SectionForm>
  );
}
