// Links within the dashboard, as text and as buttons.
import { Anchor, type AnchorProps, Breadcrumbs, Button, type ButtonProps } from '@mantine/core';
import { createLink } from '@tanstack/react-router';
import type { ReactNode, Ref } from 'react';
import { useAppIfAny } from '../current-app.tsx';

type TextProps = Omit<AnchorProps, 'href'> & {
  ref?: Ref<HTMLAnchorElement>;
  title?: string;
  children?: ReactNode;
};

export const TextLink = createLink((props: TextProps) => <Anchor {...props} />);

type ButtonLinkProps = Omit<ButtonProps, 'href'> & { ref?: Ref<HTMLAnchorElement>; children?: ReactNode };

export const ButtonLink = createLink((props: ButtonLinkProps) => <Button component="a" {...props} />);

/** Above the title of a page: the app, and the list that the page belongs to. */
export const BackLink = createLink((props: TextProps) => (
  <Breadcrumbs separator="/" separatorMargin={6} mb="xs" component="nav" aria-label="Breadcrumbs">
    <AppLink />
    <Anchor size="sm" {...props} />
  </Breadcrumbs>
));

function AppLink() {
  const current = useAppIfAny();
  if (!current) return null;
  return (
    <TextLink to="/apps/$appId/overview" params={{ appId: current.app.id }} size="sm" truncate maw={200}>
      {current.app.name}
    </TextLink>
  );
}
