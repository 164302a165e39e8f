// Links within the dashboard, as text and as buttons.
import { Anchor, type AnchorProps, Box, Button, type ButtonProps } from '@mantine/core';
import { createLink } from '@tanstack/react-router';
import type { ReactNode, Ref } from 'react';

type TextProps = Omit<AnchorProps, 'href'> & { ref?: Ref<HTMLAnchorElement>; children?: ReactNode };

export const TextLink = createLink((props: TextProps) => <Anchor {...props} />);

type ButtonLinkProps = Omit<ButtonProps, 'href'> & { ref?: Ref<HTMLAnchorElement>; children?: ReactNode };

export const ButtonLink = createLink((props: ButtonLinkProps) => <Button component="a" {...props} />);

/** Above the title of a page: to the list that the page belongs to. */
export const BackLink = createLink((props: TextProps) => (
  <Box mb="xs">
    <Anchor size="sm" {...props} />
  </Box>
));
