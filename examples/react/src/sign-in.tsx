// Every way in: password, emailed code, passkey, Google, Apple, and a new password for who has forgotten it.
import { useState } from 'react';
import { Form } from './action';
import { client } from './foyer';
import { PasskeyAutofill, PasskeyButton } from './passkey-sign-in';
import { ProviderButtons } from './providers';
import { type FirstStep, SecondStep, useSecondStep } from './second-step';

type Way = 'password' | 'sign-up' | 'code' | 'forgot';

const titles: Record<Way, string> = {
  password: 'Sign in with a password',
  'sign-up': 'Create an account',
  code: 'Sign in with a code',
  forgot: 'Choose a new password',
};

interface SignInProps {
  notice: string;
  /** Receives the codes of an enrolment that the sign-in has required. */
  onRecoveryCodes: (codes: readonly string[]) => void;
}

export function SignIn({ notice, onRecoveryCodes }: SignInProps) {
  const [way, setWay] = useState<Way>('password');
  // Remembered between the ways.
  const [email, setEmail] = useState('');
  const [message, setMessage] = useState(notice);
  const { request, firstStep, end } = useSecondStep();

  function choose(next: Way, text = '') {
    setWay(next);
    setMessage(text);
  }
  const given = { email, setEmail, firstStep };

  if (request) {
    const restart = (text = '') => {
      end();
      setMessage(text);
    };
    return <SecondStep request={request} onEnd={restart} onRecoveryCodes={onRecoveryCodes} />;
  }

  return (
    <main className="narrow">
      <h1>{way === 'password' ? 'Sign in' : titles[way]}</h1>
      <p role="status">{message}</p>
      {way === 'password' && <Password {...given} />}
      {way === 'sign-up' && <SignUp {...given} />}
      {way === 'code' && <EmailedCode {...given} />}
      {way === 'forgot' && (
        <Forgot {...given} onDone={() => choose('password', 'Your password is changed. Sign in with it.')} />
      )}
      <PasskeyButton label="Sign in with a passkey" firstStep={firstStep} />
      <ProviderButtons firstStep={firstStep} />
      <ul className="ways">
        {(Object.keys(titles) as Way[])
          .filter((each) => each !== way)
          .map((each) => (
            <li key={each}>
              <button type="button" className="link" onClick={() => choose(each)}>
                {each === 'forgot' ? 'Forgot your password?' : titles[each]}
              </button>
            </li>
          ))}
      </ul>
    </main>
  );
}

interface EmailProps {
  email: string;
  setEmail: (email: string) => void;
}
interface WayProps extends EmailProps {
  firstStep: FirstStep;
}

function Email({ email, setEmail }: EmailProps) {
  return (
    <label>
      Email
      <input
        type="email"
        autoComplete="username webauthn"
        required
        value={email}
        onChange={(event) => setEmail(event.target.value)}
      />
    </label>
  );
}

function NewPassword() {
  return (
    <label>
      Password, at least 8 characters
      <input name="password" type="password" autoComplete="new-password" minLength={8} required />
    </label>
  );
}

function Code() {
  return (
    <label>
      Code from the email
      {/* No pattern: the service understands a pasted code with spaces, dashes and digits of other scripts. */}
      <input name="code" inputMode="numeric" autoComplete="one-time-code" required />
    </label>
  );
}

function Password(props: WayProps) {
  const { email, firstStep } = props;
  return (
    <>
      <Form
        submit="Sign in"
        onSubmit={(field) => firstStep(() => client.auth.signIn({ email, password: field('password') }))}
      >
        <Email {...props} />
        <label>
          Password
          <input name="password" type="password" autoComplete="current-password" required />
        </label>
      </Form>
      <PasskeyAutofill firstStep={firstStep} />
    </>
  );
}

function SignUp(props: WayProps) {
  const { email, firstStep } = props;
  return (
    <Form
      submit="Create account"
      onSubmit={(field) =>
        firstStep(() =>
          client.auth.signUp({ email, password: field('password'), first_name: field('first_name') }),
        )
      }
    >
      <label>
        First name
        <input name="first_name" autoComplete="given-name" maxLength={100} />
      </label>
      <Email {...props} />
      <NewPassword />
    </Form>
  );
}

function EmailedCode(props: WayProps) {
  const { email, firstStep } = props;
  const [isSent, setSent] = useState(false);
  if (!isSent) {
    return (
      <Form
        submit="Email me a code"
        onSubmit={() => client.auth.emailCode.send(email).then(() => setSent(true))}
      >
        <Email {...props} />
      </Form>
    );
  }
  return (
    <Form
      submit="Sign in"
      onSubmit={(field) =>
        firstStep(() => client.auth.emailCode.verify({ email, code: field('code').trim() }))
      }
    >
      <p>We have sent a code to {email}.</p>
      <Code />
    </Form>
  );
}

function Forgot(props: EmailProps & { onDone: () => void }) {
  const { email, setEmail, onDone } = props;
  const [isSent, setSent] = useState(false);
  if (!isSent) {
    return (
      <Form
        submit="Email me a code"
        onSubmit={() => client.auth.password.forgot(email).then(() => setSent(true))}
      >
        <Email email={email} setEmail={setEmail} />
      </Form>
    );
  }
  return (
    <Form
      submit="Change password"
      onSubmit={(field) =>
        client.auth.password
          .reset({ email, code: field('code').trim(), password: field('password') })
          .then(onDone)
      }
    >
      <p>If there is an account with {email}, we have sent it a code.</p>
      <Code />
      <NewPassword />
    </Form>
  );
}
